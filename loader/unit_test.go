package loader

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// settings lists the keys of a unit with their values and places.
func settings(f *File) []string {
	out := []string{}
	for _, o := range f.Objects {
		for section, keys := range o.Root().Entries() {
			for key, value := range keys.Entries() {
				at, end := value.KeySpan().Start, value.ValueSpan().End
				out = append(out, fmt.Sprintf("%d:%d-%d:%d [%s] %s=%s", at.Line, at.Column, end.Line, end.Column, section, key, value.Text()))
			}
		}
	}
	for _, p := range f.Problems {
		out = append(out, fmt.Sprintf("%d:%d %s", p.Span.Start.Line, p.Span.Start.Column, p.Message))
	}
	return out
}

func TestAUnitIsReadAsSystemdDoes(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, src string
		want      []string
	}{
		{"sections and keys", "[Unit]\nDescription=a b\n\n[Service]\nRestart=no\n", []string{
			"2:1-2:16 [Unit] Description=a b", "5:1-5:11 [Service] Restart=no",
		}},
		{"blanks around the sign", "[Service]\n  Restart = always  \n", []string{"2:3-2:19 [Service] Restart=always"}},
		{"comments fill whole lines", "# a\n[Service]\n; b\nRestart=no # c\n  # d\n", []string{"4:1-4:15 [Service] Restart=no # c"}},
		{"the last assignment is found", "[Service]\nRestart=no\nRestart=always\n", []string{"3:1-3:15 [Service] Restart=always"}},
		{"a section goes on", "[Service]\nA=1\n[Unit]\nB=2\n[Service]\nC=3\n", []string{
			"2:1-2:4 [Service] A=1", "6:1-6:4 [Service] C=3", "4:1-4:4 [Unit] B=2",
		}},
		{"a line that goes on", "[Service]\nExecStart=a \\\n  b\nRestart=no\n", []string{"2:1-3:4 [Service] ExecStart=a    b", "4:1-4:11 [Service] Restart=no"}},
		{"a comment in a line that goes on", "[Service]\nExecStart=a\\\n# c\\\n; d\nb\nRestart=no\n", []string{
			"2:1-5:2 [Service] ExecStart=a b", "6:1-6:11 [Service] Restart=no",
		}},
		{"a line that goes on at the end", "[Service]\nExecStart=a\\", []string{"2:1-2:13 [Service] ExecStart=a\\"}},
		{"no value", "[Service]\nRestart=\n", []string{"2:1-2:9 [Service] Restart="}},
		{"signs in a value", "[Service]\nEnvironment=A=b: c\n", []string{"2:1-2:19 [Service] Environment=A=b: c"}},
		{"no line end", "[Service]\nRestart=no", []string{"2:1-2:11 [Service] Restart=no"}},
		{"CRLF", "[Service]\r\nRestart=no\r\n", []string{"2:1-2:11 [Service] Restart=no"}},
		{"a byte order mark", "\ufeff[Service]\nRestart=no\n", []string{"2:1-2:11 [Service] Restart=no"}},
		{"letters of many bytes", "[Unit]\nDescription=Zähler\n", []string{"2:1-2:19 [Unit] Description=Zähler"}},
		{"yes is text", "[Service]\nRemainAfterExit=yes\n", []string{"2:1-2:20 [Service] RemainAfterExit=yes"}},
		{"lines that systemd ignores", "A=1\n[Service]\nnonsense\n=x\n[Open\nB=2\n", []string{
			"6:1-6:4 [Service] B=2", "1:1 this key stands before the first section", "3:1 expected a section or Key=value here",
			"4:1 expected a section or Key=value here", "5:1 this section header is not closed: expected ]",
		}},
		{"templates are no mistakes", "[Service]\n{{ if x }}\nRestart=no\n{% endif %}\n", []string{"3:1-3:11 [Service] Restart=no"}},
		{"a section of another program", "[X-Tool]\nA=1\n[Install]\n", []string{"2:1-2:4 [X-Tool] A=1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			f, _ := Parse("a/b.service", []byte(tc.src), Options{})
			if diff := cmp.Diff(tc.want, settings(f)); diff != "" {
				t.Errorf("settings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOtherFilesOfThatNameAreNoUnits(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, src string }{
		{"of D-Bus", "[D-BUS Service]\nName=org.example\nExec=/usr/bin/x\n"},
		{"of Avahi", "<?xml version=\"1.0\"?>\n<service-group/>\n"},
		{"empty", ""},
		{"comments", "# [Service]\n"},
		{"bytes", "\x00\x01[\xff"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			f, skips := Parse("x.service", []byte(tc.src), Options{})
			want := []Skip{{File: "x.service", Reason: reasonNotUnit}}
			if diff := cmp.Diff(want, skips); diff != "" || len(f.Objects)+len(f.Problems) > 0 {
				t.Errorf("skips (-want +got):\n%s\nobjects %v, problems %v", diff, f.Objects, f.Problems)
			}
		})
	}
}

func TestAUnitIsAnObject(t *testing.T) {
	t.Parallel()
	f, _ := Parse("etc/api@.service", []byte("# x\n[Unit]\nA=1\n[Service]\nRestart=no\n\n"), Options{})
	o := f.Objects[0]
	first, last := o.Lines()
	got := []any{o.Name, o.Format, o.Kind, first, last, o.Span(nil).Start.Line, o.Span(Path{"Service", "RestartSec"}).Start.Line}
	if diff := cmp.Diff([]any{"api@.service", Unit, "", 2, 5, 2, 4}, got); diff != "" {
		t.Errorf("object (-want +got):\n%s", diff)
	}
}

func TestCommentsOfAUnitFillTheirLine(t *testing.T) {
	t.Parallel()
	f, _ := Parse("x.service", []byte("# hclint:ignore a\n[Service]\n ; hclint:ignore b\nA=1 # hclint:ignore c\n#hclint:ignore d"), Options{})
	got := []string{}
	for _, c := range f.Comments("hclint") {
		got = append(got, fmt.Sprintf("%d:%d %s %v", c.Span.Start.Line, c.Span.Start.Column, c.Text, c.Own))
	}
	if diff := cmp.Diff([]string{"1:1 hclint:ignore a true", "3:2 hclint:ignore b true", "5:1 hclint:ignore d true"}, got); diff != "" {
		t.Errorf("comments (-want +got):\n%s", diff)
	}
}

func TestAWalkFindsUnitsAndTheirDropins(t *testing.T) {
	t.Parallel()
	unit := "[Service]\nRestart=no\n"
	dir := tree(t, map[string]string{
		"a.service": unit, "a.service.d/10-x.conf": unit, "a.service.d/readme.txt": unit, "b.conf": unit, "c.timer": unit, "d.socket.d/x.conf": unit,
	})
	want := []string{"a.service", "a.service.d/10-x.conf"}
	if diff := cmp.Diff(want, listing(t, dir, Options{}, ".")); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func FuzzUnit(f *testing.F) {
	for _, src := range []string{
		"[Unit]\nA=1\n[Service]\nB = 2 \\\n # c\n  3\n", "A=1\n[", "[Service]\r\nA=\r\n=\n[]\n\\\n", "\ufeff[Unit]\nA=\\\n\\\n\\", "[Unit]\nÄ=ö\xff\n",
	} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 1<<16 {
			return
		}
		file, _ := Parse("x.service", src, Options{})
		for _, p := range file.Problems {
			checkSpan(t, file, p.Span)
		}
		for _, c := range file.Comments("") {
			checkSpan(t, file, c.Span)
		}
		for _, o := range file.Objects {
			visited := 0
			checkNode(t, o, o.Root(), &visited)
		}
	})
}
