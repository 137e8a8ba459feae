package loader

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree writes files into a new directory: "dir/name" to its content; "a -> b" makes a symbolic link.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		link, target, isLink := strings.Cut(name, " -> ")
		path := filepath.Join(dir, filepath.FromSlash(link))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		switch {
		case isLink:
			err = os.Symlink(strings.ReplaceAll(target, "$DIR", dir), path)
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(path, 0o755)
		default:
			err = os.WriteFile(path, []byte(content), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// listing is what Load made of paths, relative to dir.
func listing(t *testing.T, dir string, opt Options, paths ...string) []string {
	t.Helper()
	for i, p := range paths {
		if p != "-" {
			paths[i] = filepath.Join(dir, p)
		}
	}
	result, err := Load(context.Background(), paths, opt)
	var out []string
	for _, f := range result.Files {
		out = append(out, strings.TrimPrefix(f.Name, filepath.ToSlash(dir)+"/"))
	}
	for _, s := range result.Skipped {
		out = append(out, "skip "+strings.TrimPrefix(s.File, filepath.ToSlash(dir)+"/")+": "+strings.ReplaceAll(s.Reason, filepath.ToSlash(dir), "DIR"))
	}
	if err != nil {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			out = append(out, "error "+strings.ReplaceAll(line, dir, "DIR"))
		}
	}
	return out
}

func TestLoadFindsManifestsInNameOrder(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		files map[string]string
		paths []string
		want  []string
	}{
		{
			"kinds of files", map[string]string{
				"b.yaml": head1, "a/z.yml": head1, "a/b/c.json": `{"apiVersion": "v1", "kind": "Pod"}`, "c.txt": head1, "d.yaml.bak": head1,
				"e": head1, "a-b.yaml": head1, "other.yaml": "a: 1\n", "notes.yaml": "# nothing\n",
			}, []string{""}, []string{"a/b/c.json", "a/z.yml", "a-b.yaml", "b.yaml", "skip other.yaml: " + reasonOther},
		},
		{
			"hidden and third-party directories", map[string]string{
				".github/x.yaml": head1, "node_modules/a/x.yaml": head1, "vendor/x.yaml": head1, "a/vendor/x.yaml": head1, ".hidden.yaml": head1, "x.yaml": head1,
			}, []string{""}, []string{".hidden.yaml", "x.yaml"},
		},
		{
			"what is named is read", map[string]string{
				".gitignore": "*\n", ".github/x.yaml": head1, "vendor/x.yaml": head1, "plain.txt": head1, "x.yaml": head1,
			}, []string{".github/x.yaml", "vendor", "plain.txt", "x.yaml"}, []string{".github/x.yaml", "vendor/x.yaml", "plain.txt", "x.yaml"},
		},
		{
			"an ignored directory that is named",
			map[string]string{".git/HEAD": "", ".gitignore": "out/\n*.gen.yaml\n", "out/a/x.yaml": head1, "out/y.gen.yaml": head1},
			[]string{"out/a", "out"},
			[]string{"out/a/x.yaml", "out/y.gen.yaml"},
		},
		{
			"a hidden directory that is named", map[string]string{".github/x.yaml": head1}, []string{".github"}, []string{".github/x.yaml"},
		},
		{
			"each file once", map[string]string{"a/x.yaml": head1, "b.yaml": head1}, []string{"b.yaml", "a/x.yaml", "", "a"}, []string{"b.yaml", "a/x.yaml"},
		},
		{
			"gitignore", map[string]string{
				".gitignore": "# comment\nout/\n/top.yaml\n*.gen.yaml\n!keep.gen.yaml\nsub/deep/*.yaml\r\n\n", "out/x.yaml": head1, "a/out/x.yaml": head1, "top.yaml": head1,
				"a/top.yaml": head1, "a/b.gen.yaml": head1, "keep.gen.yaml": head1, "sub/deep/x.yaml": head1, "sub/x.yaml": head1,
				"a/.gitignore": "only-here.yaml\n!b.gen.yaml\n", "a/only-here.yaml": head1, "only-here.yaml": head1,
			}, []string{""}, []string{"a/b.gen.yaml", "a/top.yaml", "keep.gen.yaml", "only-here.yaml", "sub/x.yaml"},
		},
		{
			"gitignore of parents, inside a repository", map[string]string{
				".git/info/exclude": "secret.yaml\n", ".gitignore": "*.gen.yaml\n/a/b/top.yaml\n", "a/.gitignore": "b/x.yaml\n",
				"a/b/x.yaml": head1, "a/b/y.gen.yaml": head1, "a/b/secret.yaml": head1, "a/b/z.yaml": head1, "a/b/top.yaml": head1,
			}, []string{"a/b"}, []string{"a/b/z.yaml"},
		},
		{
			"no gitignore of parents outside a repository", map[string]string{".gitignore": "*\n", "a/x.yaml": head1}, []string{"a"}, []string{"a/x.yaml"},
		},
		{
			"symbolic links", map[string]string{
				"a/x.yaml": head1, "a/link.yaml -> x.yaml": "", "a/dir -> ../b": "", "b/y.yaml": head1, "a/out.yaml -> ../b/y.yaml": "",
				"a/broken.yaml -> nowhere": "", "a/z.yaml -> c/z": "", "a/c/z": head1, "a/self -> .": "", "a/dir.yaml -> c": "",
			}, []string{"a"}, []string{
				"a/link.yaml", "a/z.yaml", "skip a/broken.yaml: broken symbolic link", "skip a/out.yaml: symbolic link that leads outside the directory given",
			},
		},
		{
			"symbolic links that are named", map[string]string{"b/y.yaml": head1, "f.yaml -> b/y.yaml": "", "d -> b": ""}, []string{"f.yaml", "d"}, []string{"f.yaml"},
		},
		{
			"a directory link that is named", map[string]string{"b/y.yaml": head1, "d -> b": ""}, []string{"d"}, []string{"d/y.yaml"},
		},
		{
			"charts", map[string]string{
				"c/Chart.yaml": "apiVersion: v2\nname: c\n", "c/values.yaml": "a: 1\n", "c/values-prod.yaml": "a: 1\n", "c/templates/a.yaml": head1 + "{{ x }}\n",
				"c/templates/sub/b.yaml": head1 + "a: {{ .x }}\n", "c/templates/plain.yaml": head1, "c/crds/d.yaml": head1, "c/charts/s/Chart.yaml": "a: 1\n",
				"c/charts/s/templates/e.yaml": "{{ x }}\n", "templates/f.yaml": head1 + "a: {{ .x }}\n", "values.yaml": "a: 1\n",
			}, []string{""}, []string{
				"c/crds/d.yaml", "c/templates/plain.yaml", "templates/f.yaml", "skip c/Chart.yaml: " + reasonChart, "skip c/charts/s/Chart.yaml: " + reasonChart,
				"skip c/charts/s/templates/e.yaml: " + reasonHelm, "skip c/templates/a.yaml: " + reasonHelm, "skip c/templates/sub/b.yaml: " + reasonHelm,
				"skip c/values-prod.yaml: " + reasonChart, "skip c/values.yaml: " + reasonChart, "skip values.yaml: " + reasonOther,
			},
		},
		{
			"a template that is named",
			map[string]string{"c/Chart.yaml": "", "c/templates/a.yaml": head1 + "{{ x }}\n"},
			[]string{"c/templates/a.yaml"},
			[]string{"skip c/templates/a.yaml: " + reasonHelm},
		},
		{
			"large files", map[string]string{"a.yaml": head1 + strings.Repeat("#\n", maxFileSize/2), "b.yaml": head1}, []string{""}, []string{"b.yaml", "skip a.yaml: larger than 10 MiB"},
		},
		{
			"paths that do not exist", map[string]string{"x.yaml": head1}, []string{"no.yaml", "x.yaml", "neither"}, []string{
				"x.yaml", "error stat DIR/no.yaml: no such file or directory", "error stat DIR/neither: no such file or directory",
			},
		},
		{"an empty directory", map[string]string{"a/": ""}, []string{""}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := listing(t, tree(t, tc.files), Options{}, tc.paths...)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestStdinIsOnePath(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		opt   Options
		paths []string
		want  []string
	}{
		{"a manifest", Options{Stdin: strings.NewReader(head1)}, []string{"-"}, []string{"<stdin>"}},
		{"a manifest with a name", Options{Stdin: strings.NewReader(head1), StdinName: "deploy/x.yaml"}, []string{"-"}, []string{"deploy/x.yaml"}},
		{"a Kustomization by its name", Options{Stdin: strings.NewReader("a: 1\n"), StdinName: "kustomization.yaml"}, []string{"-"}, []string{"skip kustomization.yaml: " + reasonKustomize}},
		{"twice", Options{Stdin: strings.NewReader(head1)}, []string{"-", "-"}, []string{"<stdin>"}},
		{"with files", Options{Stdin: strings.NewReader(head1)}, []string{"x.yaml", "-"}, []string{"x.yaml", "<stdin>"}},
		{"nothing", Options{Stdin: strings.NewReader("")}, []string{"-"}, nil},
		{"too much", Options{Stdin: strings.NewReader(strings.Repeat("#\n", maxFileSize/2+1))}, []string{"-"}, []string{"skip <stdin>: larger than 10 MiB"}},
		{"no reader", Options{}, []string{"-"}, nil},
		{"an error", Options{Stdin: failingReader{}}, []string{"-"}, []string{"error standard input: gone"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := listing(t, tree(t, map[string]string{"x.yaml": head1}), tc.opt, tc.paths...)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, errors.New("gone") }

func TestNamesAreAsTheArgumentWas(t *testing.T) {
	dir := tree(t, map[string]string{"a/x.yaml": head1, "b.yaml": head1})
	t.Chdir(dir)
	for _, tc := range []struct {
		arg  string
		want []string
	}{
		{".", []string{"a/x.yaml", "b.yaml"}},
		{"./", []string{"a/x.yaml", "b.yaml"}},
		{"./a/", []string{"a/x.yaml"}},
		{"a/../b.yaml", []string{"b.yaml"}},
		{filepath.Join(dir, "a"), []string{filepath.ToSlash(dir) + "/a/x.yaml"}},
		{"../" + filepath.Base(dir) + "/a", []string{"../" + filepath.Base(dir) + "/a/x.yaml"}},
	} {
		result, err := Load(t.Context(), []string{tc.arg}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range result.Files {
			got = append(got, f.Name)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.arg, diff)
		}
	}
}

func TestAChartIsKnownFromInsideOfIt(t *testing.T) {
	dir := tree(t, map[string]string{"c/Chart.yaml": "", "c/templates/a.yaml": head1 + "{{ x }}\n"})
	t.Chdir(filepath.Join(dir, "c", "templates"))
	for arg, name := range map[string]string{".": "a.yaml", "a.yaml": "a.yaml", "../templates/a.yaml": "../templates/a.yaml"} {
		result, err := Load(t.Context(), []string{arg}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := []Skip{{File: name, Reason: reasonHelm}}
		if diff := cmp.Diff(want, result.Skipped); diff != "" {
			t.Errorf("%s (-want +got):\n%s", arg, diff)
		}
	}
}

func TestAnUnreadableFileDoesNotEndTheWalk(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		// root reads everything, so only the wording is tested there
		err := &fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}
		if got := unreadable(err); got != "cannot be read: permission denied" {
			t.Error(got)
		}
		return
	}
	dir := tree(t, map[string]string{"a.yaml": head1, "b.yaml": head1, "c/d.yaml": head1})
	for _, p := range []string{"a.yaml", "c"} {
		if err := os.Chmod(filepath.Join(dir, p), 0); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"b.yaml", "skip a.yaml: cannot be read: permission denied", "skip c: cannot be read: permission denied"}
	if diff := cmp.Diff(want, listing(t, dir, Options{}, "")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTheResultDoesNotDependOnJobs(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 60 {
		files[fmt.Sprintf("d%d/f%02d.yaml", i%7, i)] = head1 + "---\na: 1\n---\n" + head1 + fmt.Sprintf("a: 1\na: %d\n", i)
	}
	dir := tree(t, files)
	want := listing(t, dir, Options{Jobs: 1}, "")
	if len(want) != 120 {
		t.Fatalf("%d lines", len(want))
	}
	if diff := cmp.Diff(want, listing(t, dir, Options{Jobs: 8}, "")); diff != "" {
		t.Errorf("(-one +eight):\n%s", diff)
	}
}

func TestLoadStopsWhenItIsToldTo(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Load(ctx, []string{tree(t, map[string]string{"x.yaml": head1})}, Options{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func TestLoadStopsWhileStdinSaysNothing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	silent, write := io.Pipe()
	defer write.Close() //nolint:errcheck // it never fails
	cancelOnRead := readerFunc(func(p []byte) (int, error) {
		cancel()
		return silent.Read(p)
	})
	_, err := Load(ctx, []string{"-"}, Options{Stdin: cancelOnRead})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
