package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// actionStep is a step of action.yml.
type actionStep struct {
	ID   string            `json:"id"`
	Uses string            `json:"uses"`
	Run  string            `json:"run"`
	Env  map[string]string `json:"env"`
}

func actionSteps(t *testing.T) map[string]actionStep {
	t.Helper()
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Runs struct {
			Steps []actionStep `json:"steps"`
		} `json:"runs"`
	}
	if err := yaml.Unmarshal(text, &action); err != nil {
		t.Fatal(err)
	}
	steps := map[string]actionStep{}
	for _, s := range action.Runs.Steps {
		if s.Run != "" {
			steps[s.ID] = s
		}
	}
	if len(steps) != 2 {
		t.Fatalf("got %d steps with a script, want 2", len(steps))
	}
	return steps
}

// bash finds the shell that the action runs in; it is no part of a Go installation.
func bash(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("bash")
	if err != nil {
		t.Log("no bash here: the scripts are not run")
		return ""
	}
	return path
}

func TestActionInterpolatesNothingIntoItsScripts(t *testing.T) {
	t.Parallel()
	for id, step := range actionSteps(t) {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("step %s: an expression in the script lets an input run commands; pass it by env", id)
		}
		if shell := bash(t); shell != "" {
			cmd := exec.CommandContext(t.Context(), shell, "-n")
			cmd.Stdin = strings.NewReader(step.Run)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("step %s: %v\n%s", id, err, out)
			}
		}
	}
}

func TestActionPassesInputsAsSingleArguments(t *testing.T) {
	t.Parallel()
	shell := bash(t)
	if shell == "" {
		return
	}
	step := actionSteps(t)["hclint"]
	for name, tc := range map[string]struct {
		env  map[string]string
		code string
		want []string
	}{
		"defaults": {
			env:  map[string]string{"HCLINT_PATHS": "."},
			code: "0",
			want: []string{"--", "."},
		},
		"all inputs, with blanks and shell syntax": {
			env: map[string]string{
				"HCLINT_PATHS": "deploy dir\n\n$(touch pwned)\n", "HCLINT_FAIL_ON": "error; touch pwned",
				"HCLINT_CONFIG": "a b.yaml", "HCLINT_ARGS": "--disable\npdb-missing\n`touch pwned`",
			},
			code: "1",
			want: []string{
				"--fail-on", "error; touch pwned", "--config", "a b.yaml", "--disable", "pdb-missing", "`touch pwned`",
				"--", "deploy dir", "$(touch pwned)",
			},
		},
		"broken": {env: map[string]string{"HCLINT_PATHS": "nowhere"}, code: "2", want: []string{"--", "nowhere"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			fake := filepath.Join(dir, "fake")
			script := "#!" + shell + "\nprintf '%s\\n' \"$@\" >args\necho '::error::from a manifest' >\"$RUNNER_TEMP/hclint.txt\"\nexit " + tc.code + "\n"
			if err := os.WriteFile(fake, []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			// As GitHub runs a composite step: bash -e -o pipefail.
			cmd := exec.CommandContext(t.Context(), shell, "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step.Run)
			cmd.Dir = dir
			cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "RUNNER_TEMP=" + dir, "GITHUB_OUTPUT=" + filepath.Join(dir, "out"), "HCLINT=" + fake}
			for key := range step.Env {
				if key != "HCLINT" {
					cmd.Env = append(cmd.Env, key+"="+tc.env[key])
				}
			}
			out, _ := cmd.CombinedOutput()
			checkStep(t, dir, string(out), tc.code, tc.want)
		})
	}
}

func checkStep(t *testing.T, dir, out, code string, want []string) {
	t.Helper()
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(text)
	}
	reports := []string{"--color", "always", "--output", "github", "--output", "json:" + dir + "/hclint.json", "--output", "text:" + dir + "/hclint.txt"}
	if diff := cmp.Diff(append(reports, want...), strings.Split(strings.TrimSuffix(read("args"), "\n"), "\n")); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("exit-code="+code+"\njson-file="+dir+"/hclint.json\n", read("out")); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
	lines := strings.Split(out, "\n")
	if !strings.HasPrefix(lines[0], "::stop-commands::hclint-") || lines[2] != "::"+strings.TrimPrefix(lines[0], "::stop-commands::")+"::" {
		t.Errorf("the report is not kept from acting as commands:\n%s", out)
	}
	if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
		t.Error("an input was run as a command")
	}
}

func TestHooksRunWhatTheCommandUnderstands(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct {
		ID       string `json:"id"`
		Entry    string `json:"entry"`
		Language string `json:"language"`
	}
	if err := yaml.Unmarshal(text, &hooks); err != nil {
		t.Fatal(err)
	}
	var ids []string
	clean := folder(t, map[string]string{"notes.yaml": noManifest})
	for _, h := range hooks {
		ids = append(ids, h.ID)
		entry := strings.Fields(h.Entry)
		if entry[0] != "hclint" || h.Language != "golang" {
			t.Errorf("%s: entry %q, language %s", h.ID, h.Entry, h.Language)
		}
		// A commit of files that are no manifests passes.
		if code, _, stderr := hclint(t, "", append(entry[1:], filepath.Join(clean, "notes.yaml"))...); code != exitClean {
			t.Errorf("%s: exit code %d\n%s", h.ID, code, stderr)
		}
	}
	if diff := cmp.Diff([]string{"hclint", "hclint-all"}, ids); diff != "" {
		t.Errorf("hooks (-want +got):\n%s", diff)
	}
}
