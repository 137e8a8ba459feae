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
	"syscall"
)

// maxFileSize is the largest file that is read.
const maxFileSize = 10 << 20

// DefaultStdinName is what standard input is called where Options.StdinName does not say.
const DefaultStdinName = "<stdin>"

// source is one file to read.
type source struct {
	name  string // as shown
	path  string // as opened; "" for standard input
	named bool   // on the command line: failing to read it is an error
	pipe  bool   // a named pipe
	role  role
	skip  string // why it is not read
}

// walker lists the files under the paths of a command line.
type walker struct {
	sources []source
	seen    map[string]bool // real paths
	charts  map[string]bool // whether a directory holds a Chart.yaml
}

func walk(ctx context.Context, paths []string, opt Options) ([]source, error) {
	w := &walker{seen: map[string]bool{}, charts: map[string]bool{}}
	var errs []error
	for _, p := range paths {
		if p == "-" {
			w.stdin(opt)
			continue
		}
		if err := w.argument(ctx, p); err != nil {
			errs = append(errs, err)
		}
	}
	return w.sources, errors.Join(errs...)
}

func (w *walker) stdin(opt Options) {
	name := opt.StdinName
	if name == "" {
		name = DefaultStdinName
	}
	if !w.seen["-"] {
		w.seen["-"] = true
		w.sources = append(w.sources, source{name: name, named: true, role: roleOf(name)})
	}
}

// argument adds what one path of the command line names.
func (w *walker) argument(ctx context.Context, p string) error {
	info, err := os.Stat(p)
	if err != nil {
		return err
	}
	clean := filepath.Clean(p)
	if !info.IsDir() {
		return w.namedFile(clean, info)
	}
	target, err := realPath(clean)
	if err != nil {
		return err
	}
	d := directory{path: clean, real: target, root: target, ignore: ignoreAbove(target)}
	return w.directory(ctx, d)
}

// namedFile adds a file of the command line. What is no regular file (a pipe) has no place that says more about it.
func (w *walker) namedFile(p string, info fs.FileInfo) error {
	s := source{name: filepath.ToSlash(p), path: p, named: true, role: roleOf(filepath.ToSlash(p))}
	s.pipe = info.Mode()&fs.ModeNamedPipe != 0
	if info.Mode().IsRegular() {
		target, err := realPath(p)
		if err != nil {
			return err
		}
		if w.duplicate(target) {
			return nil
		}
		if p, err = filepath.Abs(p); err != nil {
			return err
		}
		s.role = w.role(p)
	}
	w.sources = append(w.sources, s)
	return nil
}

// directory is a directory on the way of a walk.
type directory struct {
	path   string // as shown and opened
	real   string // without symbolic links
	root   string // the real path of the argument
	ignore ignoreRules
}

func (w *walker) directory(ctx context.Context, d directory) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := os.ReadDir(d.path)
	if err != nil {
		if d.real == d.root {
			return err
		}
		w.sources = append(w.sources, source{name: filepath.ToSlash(d.path), skip: unreadable(err)})
		return nil
	}
	d.ignore = d.ignore.enter(d.path, d.real)
	for _, e := range entries {
		if d.ignore.match(d.real, e.Name(), e.IsDir()) {
			continue
		}
		if e.IsDir() {
			if err := w.child(ctx, d, e.Name()); err != nil {
				return err
			}
			continue
		}
		w.file(d, e)
	}
	return nil
}

// child descends into a directory, unless it never holds what people deploy.
func (w *walker) child(ctx context.Context, d directory, name string) error {
	if strings.HasPrefix(name, ".") || name == "node_modules" || name == "vendor" {
		return nil
	}
	return w.directory(ctx, directory{
		path: filepath.Join(d.path, name), real: filepath.Join(d.real, name), root: d.root, ignore: d.ignore,
	})
}

// file adds a directory entry that is a YAML or JSON file or a systemd unit, or a link to one under the same root.
func (w *walker) file(d directory, e fs.DirEntry) {
	if !isManifestName(e.Name()) && !isUnitName(filepath.ToSlash(filepath.Join(d.real, e.Name()))) {
		return
	}
	shown := filepath.Join(d.path, e.Name())
	s := source{name: filepath.ToSlash(shown), path: shown}
	target := filepath.Join(d.real, e.Name())
	switch {
	case e.Type()&fs.ModeSymlink != 0:
		var file bool
		target, s.skip, file = followLink(shown, d.root)
		if s.skip != "" {
			w.sources = append(w.sources, s)
			return
		}
		if !file {
			return
		}
	case !e.Type().IsRegular():
		return
	}
	if w.duplicate(target) {
		return
	}
	s.role = w.role(filepath.Join(d.real, e.Name()))
	w.sources = append(w.sources, s)
}

// followLink resolves a symbolic link met in a walk. skip says why it is not read; file is false for a link to
// anything but a regular file, which is passed over like such a thing itself.
func followLink(link, root string) (target, skip string, file bool) {
	target, err := realPath(link)
	if err != nil {
		return "", "broken symbolic link", false
	}
	info, err := os.Stat(target)
	switch {
	case err != nil || !info.Mode().IsRegular():
		return "", "", false
	case !within(target, root):
		return "", "symbolic link that leads outside the directory given", false
	}
	return target, "", true
}

// realPath is the absolute path of p without symbolic links.
func realPath(p string) (string, error) {
	target, err := filepath.EvalSymlinks(p)
	if err != nil {
		return "", err
	}
	return filepath.Abs(target)
}

// duplicate reports whether the file at a real path was met before.
func (w *walker) duplicate(target string) bool {
	if w.seen[target] {
		return true
	}
	w.seen[target] = true
	return false
}

// role looks at the place of a file, given by its absolute path: is it part of a Helm chart?
func (w *walker) role(p string) role {
	if r := roleOf(filepath.ToSlash(p)); r != anyFile {
		return r
	}
	dir := filepath.Dir(p)
	if isChartOwn(filepath.Base(p)) && w.isChart(dir) {
		return chartFile
	}
	for dir != filepath.Dir(dir) {
		parent := filepath.Dir(dir)
		if filepath.Base(dir) == "templates" && w.isChart(parent) {
			return chartTemplate
		}
		dir = parent
	}
	return anyFile
}

func (w *walker) isChart(dir string) bool {
	is, known := w.charts[dir]
	if !known {
		_, err := os.Stat(filepath.Join(dir, "Chart.yaml"))
		is = err == nil
		w.charts[dir] = is
	}
	return is
}

func isManifestName(name string) bool {
	switch filepath.Ext(name) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

func within(p, root string) bool {
	rel, err := filepath.Rel(root, p)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// unreadable words an error of the file system without the path, which the skip names already.
func unreadable(err error) string {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return "cannot be read: " + err.Error()
}

// load reads and parses one source.
func (s source) load(opt Options) outcome {
	if s.skip != "" {
		return outcome{skips: []Skip{{File: s.name, Reason: s.skip}}}
	}
	src, err := s.read(opt.Stdin)
	switch {
	case errors.Is(err, errTooLarge):
		return outcome{skips: []Skip{{File: s.name, Reason: reasonTooLarge}}}
	case err != nil && s.named:
		return outcome{err: err}
	case err != nil:
		return outcome{skips: []Skip{{File: s.name, Reason: unreadable(err)}}}
	}
	file, skips := parse(s.name, src, s.role, opt)
	return outcome{file: file, skips: skips}
}

var errTooLarge = errors.New(reasonTooLarge)

func (s source) read(stdin io.Reader) ([]byte, error) {
	if s.path == "" {
		if stdin == nil {
			return nil, nil
		}
		src, err := readAll(stdin, 0)
		if err != nil && !errors.Is(err, errTooLarge) {
			err = fmt.Errorf("standard input: %w", err)
		}
		return src, err
	}
	flags := os.O_RDONLY
	if s.pipe {
		flags |= syscall.O_NONBLOCK // opening a pipe waits for somebody to write to it otherwise, for ever
	}
	f, err := os.OpenFile(s.path, flags, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > maxFileSize {
		return nil, errTooLarge
	}
	src, err := readAll(f, info.Size())
	if s.pipe && len(src) == 0 && err == nil {
		err = fmt.Errorf("%s: nothing writes to this pipe", s.path)
	}
	return src, err
}

// readAll reads r up to maxFileSize; size is how much is expected.
func readAll(r io.Reader, size int64) ([]byte, error) {
	buf := make([]byte, 0, size+512)
	for {
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case len(buf) > maxFileSize:
			return nil, errTooLarge
		case errors.Is(err, io.EOF):
			return buf, nil
		case err != nil:
			return nil, err
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
	}
}
