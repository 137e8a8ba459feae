package reach_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/reach"
	"github.com/hclint/hclint/loader"
)

// A hostile script would leave a mark in dir, or answer with what stands in it, if anything of this machine were used.
func TestNothingOfThisMachineIsReadWrittenOrRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("machine-secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(dir, "run.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch "+dir+"/ran\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"H=$(cat SECRET); nc -z \"$H\" 80",
		"H=$(< SECRET); nc -z \"$H\" 80",
		"read H < SECRET; nc -z \"$H\" 80",
		"mapfile -t H < SECRET; nc -z \"${H[0]}\" 80",
		"H=$(cat < SECRET); nc -z \"$H\" 80",
		"H=$(head -1 SECRET); nc -z \"$H\" 80",
		"H=$(awk '{print $1}' SECRET); nc -z \"$H\" 80",
		"H=$(cat /etc/passwd | head -1 | cut -d: -f1); nc -z \"$H\" 80",
		"H=$(echo ~root); nc -z \"$H\" 80",
		"for H in DIR/*; do nc -z \"$(basename $H)\" 80; done",
		"echo x > DIR/written",
		"echo x >> DIR/written",
		"echo x >| DIR/written",
		"exec 3> DIR/written; echo x >&3",
		"touch DIR/written",
		"tee DIR/written <<< x",
		"DIR/run.sh",
		"sh DIR/run.sh",
		". DIR/run.sh",
		"source DIR/run.sh",
		"exec DIR/run.sh",
		"env DIR/run.sh",
		"command DIR/run.sh",
		"eval 'DIR/run.sh'",
		"trap DIR/run.sh EXIT",
		"cat <(DIR/run.sh)",
		"echo x > >(DIR/run.sh)",
		"DIR/run.sh &",
		"coproc DIR/run.sh",
		"cd DIR && ./run.sh && . ./run.sh",
		"PATH=DIR run.sh",
		"exec 3<>/dev/tcp/127.0.0.1/22; cat <&3",
		"[ -f SECRET ] && nc -z found 80",
		"type DIR/run.sh && command -v DIR/run.sh",
	} {
		text := strings.NewReplacer("SECRET", secret, "DIR", dir).Replace(text)
		got := run(t, command("bash", "-c", text))
		for _, target := range got.Targets {
			if strings.Contains(target.Host, "secret") || target.Host == "root" {
				t.Errorf("%s: read %q", text, target.Host)
			}
		}
	}
	var names []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if diff := cmp.Diff([]string{"run.sh", "secret"}, names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestEndlessScriptsEnd(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"while :; do :; done",
		"while true; do sleep 0; done",
		"while ((1)); do ((i++)); done",
		"for ((;;)); do x=1; done",
		"f() { f; }; f",
		"f() { f | f; }; f",
		"x=aaaaaaaa; while :; do x=$x$x; done",
		"x=a; while :; do x+=$x; done",
		"x=aaaa; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do x=${x//a/aaaaaaaa}; done",
		"a=(1); while :; do a=(\"${a[@]}\" \"${a[@]}\"); done",
		"set -- a; while :; do set -- \"$@\" \"$@\"; done",
		"echo {1..1000000000}",
		"echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
		"printf '%1000000000d' 1",
		"printf '%*d' 1000000000 1",
		"yes | head -1",
		"sleep infinity",
		"cat",
		"read x",
		"sh -c 'sh -c \"$0\" \"$0\"' 'sh -c \"$0\" \"$0\"'",
		"eval \"$(echo eval x)\"",
		"trap 'kill $$' EXIT; exit 1",
		"wait",
		"seq 1 1000000000 | wc -l",
		strings.Repeat("(", 3000),
		strings.Repeat("$(", 3000),
		strings.Repeat("if true; then ", 500) + strings.Repeat("fi;", 500),
	} {
		run(t, command("bash", "-c", text))
	}
}

func TestProgramsThatGrowEnd(t *testing.T) {
	t.Parallel()
	sum := func(name string) string { return strings.TrimSuffix(strings.Repeat(name+" + ", 200), " + ") }
	for _, text := range []string{
		"a = 'x'\nb = " + sum("a") + "\nc = " + sum("b") + "\nd = " + sum("c") + "\ne = " + sum("d") + "\ns.connect((e, 1))",
		strings.Repeat("requests.get('http://h')\n", 5000),
		strings.Repeat("def f():\n f()\n", 2000) + "s.connect(('h', 1))",
		"def f():\n g()\ndef g():\n f()\n s.connect(('h', 1))\nf()",
		"x = y\ny = x\ntry:\n s.connect(('h', 1))\nexcept:\n x = False",
		strings.Repeat("(", 20000) + "s.connect(('h', 1))",
		strings.Repeat("{", 20000),
		"s.connect((" + strings.Repeat("f'{", 3000),
		strings.Repeat("try:\n ", 3000),
	} {
		for _, program := range []string{"python3", "node", "ruby", "php", "perl"} {
			run(t, command(program, "-c", text))
			run(t, command(program, "-e", text))
			run(t, command(program, "-r", text))
		}
	}
}

func FuzzPrograms(f *testing.F) {
	f.Add("python", "try:\n    s.connect((os.environ['H'], 1))\nexcept OSError:\n    sys.exit(1)")
	f.Add("node", "fetch(`http://${process.env.H}/`).catch(() => process.exit(1))")
	f.Add("ruby", "begin; TCPSocket.new 'a', 1; rescue => e; exit 1; end")
	f.Add("php", "<?php try { new PDO('mysql:host=a'); } catch (E $e) { exit(1); }")
	f.Add("perl", "IO::Socket::INET->new(PeerAddr => \"a:1\") or die")
	f.Fuzz(func(t *testing.T, program, text string) {
		if !slices.Contains([]string{"python", "node", "ruby", "php", "perl"}, program) {
			program = "python"
		}
		first := reach.AnalyseCommand(reach.Command{Argv: []string{program, "-e", text}, Locate: nowhere})
		second := reach.AnalyseCommand(reach.Command{Argv: []string{program, "-c", text}, Locate: nowhere})
		for _, target := range append(first.Targets, second.Targets...) {
			if len(target.Trace) == 0 {
				t.Errorf("%s: no trace", summary(target))
			}
		}
	})
}

func nowhere(string) (reach.Located, bool) { return reach.Located{}, false }

func FuzzAnalyse(f *testing.F) {
	f.Add("pg_isready -h \"$DB_HOST\"", "nc -z db 5432 || true")
	f.Add("for i in 1 2; do curl -f http://$H/ && exit 0; done", "[[ -f /x && $y == z* ]]")
	f.Add("exec 3<>/dev/tcp/a/1; read -u 3 x", "case $1 in a) exit 1;; esac")
	f.Add("/scripts/check.sh a", "#!/usr/bin/env python\nimport socket")
	f.Fuzz(func(t *testing.T, text, script string) {
		b := &bundle{}
		quote := func(s string) string {
			return "\"" + strings.NewReplacer("\\", "\\\\", "\"", "\\\"", "\n", "\\n").Replace(s) + "\""
		}
		clean := func(s string) string {
			return strings.Map(func(r rune) rune {
				if r < ' ' && r != '\n' || r > '~' {
					return -1
				}
				return r
			}, s)
		}
		source := manifest("exec: {command: [bash, -c, "+quote(clean(text))+"]}", "mounts=[{name: s, mountPath: /scripts}]", "volumes=[{name: s, configMap: {name: s}}]",
			"objects=---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: s, namespace: shop}\ndata: {check.sh: "+quote(clean(script))+"}\n")
		file, _ := loader.Parse("f.yaml", []byte(source), loader.Options{})
		b.objects = file.Objects
		for _, s := range b.subjects() {
			first := reach.Explore(b, s).Result
			for _, target := range first.Targets {
				if len(target.Trace) == 0 {
					t.Errorf("%s: no trace", summary(target))
				}
			}
		}
	})
}
