package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hclint/hclint/internal/report"
)

const (
	cleanPolicy = "restart_policy:\n  max_restarts_per_window: 3\n  window_seconds: 300\n  on_limit_exceeded: page_oncall\n  min_healthy_fraction: 0.6\n"
	badPolicy   = "restart_policy:\n  max_restarts_per_window: 3\n  window_seconds: 300\n  on_limit_exceeded: restart\n  min_healthy_fraction: 0.6\n"
	ignored     = "# hclint:ignore restart-limit-action -- known\n" + badPolicy
	brokenYAML  = "restart_policy: [\n"
	noManifest  = "title: notes\n"
)

// folder writes files (name → content) into a directory of their own.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// hclint runs the program in this process.
func hclint(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(stdin), &out, &errs, func(string) string { return "" })
	return code, out.String(), errs.String()
}

func TestExitCodeIsTheSameInEveryFormat(t *testing.T) {
	t.Parallel()
	clean := folder(t, map[string]string{"a.yaml": cleanPolicy})
	bad := folder(t, map[string]string{"a.yaml": cleanPolicy, "b.yaml": badPolicy})
	last := folder(t, map[string]string{"a.yaml": badPolicy, "b.yaml": cleanPolicy})
	suppressed := folder(t, map[string]string{"a.yaml": ignored})
	broken := folder(t, map[string]string{"a.yaml": brokenYAML})
	notes := folder(t, map[string]string{"a.yaml": noManifest})
	config := filepath.Join(folder(t, map[string]string{"c.yaml": "failOn: never\n"}), "c.yaml")
	badConfig := filepath.Join(folder(t, map[string]string{"c.yaml": "fail_on: never\n"}), "c.yaml")
	nowhere := filepath.Join(clean, "nowhere")

	for _, tc := range []struct {
		name  string
		args  []string
		stdin string
		want  int
	}{
		{"clean", []string{clean}, "", exitClean},
		{"clean, fail on info", []string{"--fail-on=info", clean}, "", exitClean},
		{"error", []string{bad}, "", exitFindings},
		{"error in the first file", []string{last}, "", exitFindings},
		{"error, fail on error", []string{"--fail-on=error", bad}, "", exitFindings},
		{"error, fail on never", []string{"--fail-on=never", bad}, "", exitClean},
		{"error, quiet", []string{"--quiet", bad}, "", exitFindings},
		{"error, made a warning", []string{"--severity=restart-limit-action=warning", bad}, "", exitFindings},
		{"error, made a warning, fail on error", []string{"--severity=restart-limit-action=warning", "--fail-on=error", bad}, "", exitClean},
		{"error, made an info", []string{"--severity=restart-limit-action=info", bad}, "", exitClean},
		{"error, rule disabled", []string{"--disable=restart-limit-action", bad}, "", exitClean},
		{"error, suppressed", []string{suppressed}, "", exitClean},
		{"error, not suppressed", []string{"--no-inline-ignores", suppressed}, "", exitFindings},
		{"error, configuration says never", []string{"--config", config, bad}, "", exitClean},
		{"error, flag wins over configuration", []string{"--config", config, "--fail-on=error", bad}, "", exitFindings},
		{"error from stdin", []string{"-"}, badPolicy, exitFindings},
		{"clean from stdin", []string{"-"}, cleanPolicy, exitClean},
		{"broken YAML", []string{broken}, "", exitFindings},
		{"nothing to check", []string{notes}, "", exitBroken},
		{"nothing to check, allowed", []string{"--allow-empty", notes}, "", exitClean},
		{"nothing on stdin", []string{"-"}, "", exitBroken},
		{"no such path", []string{nowhere}, "", exitBroken},
		{"no such path beside a clean one", []string{clean, nowhere}, "", exitBroken},
		{"no such path beside findings", []string{bad, nowhere}, "", exitBroken},
		{"no such path, empty allowed", []string{"--allow-empty", nowhere}, "", exitBroken},
		{"unknown flag", []string{"--no-such-flag", clean}, "", exitBroken},
		{"unknown rule", []string{"--disable=no-such-rule", clean}, "", exitBroken},
		{"unknown severity", []string{"--severity=restart-limit-action=bad", clean}, "", exitBroken},
		{"unknown threshold", []string{"--fail-on=high", clean}, "", exitBroken},
		{"empty threshold", []string{"--fail-on=", clean}, "", exitBroken},
		{"broken configuration", []string{"--config", badConfig, clean}, "", exitBroken},
		{"no configuration there", []string{"--config", nowhere, clean}, "", exitBroken},
	} {
		for _, format := range report.Formats() {
			t.Run(tc.name+"/"+string(format), func(t *testing.T) {
				t.Parallel()
				code, stdout, stderr := hclint(t, tc.stdin, append([]string{"--format", string(format)}, tc.args...)...)
				if code != tc.want {
					t.Errorf("exit code %d, want %d\nstdout:\n%s\nstderr:\n%s", code, tc.want, stdout, stderr)
				}
				if (code == exitBroken) != strings.Contains(stderr, "hclint: ") {
					t.Errorf("exit code %d with stderr %q", code, stderr)
				}
			})
		}
	}
}

func TestCommandsExitWithTheirCode(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		args string
		want int
	}{
		{"--help", exitClean},
		{"version", exitClean},
		{"rules", exitClean},
		{"explain restart-cap-missing", exitClean},
		{"schema facts", exitClean},
		{"completion zsh", exitClean},
		{"explain", exitBroken},
		{"explain no-such-rule", exitBroken},
		{"schema sarif", exitBroken},
		{"version --format xml", exitBroken},
		{"version now", exitBroken},
		{"rules --format github", exitBroken},
	} {
		code, stdout, stderr := hclint(t, "", strings.Fields(tc.args)...)
		if code != tc.want {
			t.Errorf("%s: exit code %d, want %d\n%s", tc.args, code, tc.want, stderr)
		}
		if (stderr == "") != (code == exitClean) || (stdout == "") != (code == exitBroken) {
			t.Errorf("%s: exit code %d with %d bytes on stdout, stderr %q", tc.args, code, len(stdout), stderr)
		}
	}
}

func TestAnInterruptedRunSaysSo(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	code := run(ctx, []string{folder(t, map[string]string{"a.yaml": badPolicy})}, strings.NewReader(""), &out, &errs, func(string) string { return "" })
	if code != exitBroken || errs.String() != "hclint: interrupted\n" || out.Len() > 0 {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, out.String(), errs.String())
	}
}

func TestTheSameInputGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	files := map[string]string{"broken.yaml": brokenYAML, "notes.yaml": noManifest, "ignored.yaml": ignored}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		files[name+".yaml"] = badPolicy + "---\n" + badPolicy
	}
	dir := folder(t, files)
	for _, format := range report.Formats() {
		_, want, _ := hclint(t, "", "--format", string(format), "--jobs", "1", dir)
		for _, jobs := range []string{"2", "8"} {
			if _, got, _ := hclint(t, "", "--format", string(format), "--jobs", jobs, dir); got != want {
				t.Errorf("%s: --jobs %s changes the output", format, jobs)
			}
		}
	}
}
