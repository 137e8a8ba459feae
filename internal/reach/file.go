package reach

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"mvdan.cc/sh/v3/interp"
)

// open is the interpreter's OpenHandler.
func (sh *shell) open(ctx context.Context, name string, flag int, _ os.FileMode) (io.ReadWriteCloser, error) {
	id, file := unmark(name)
	f := sh.openPath(file, id, flag, interp.HandlerCtx(ctx).Dir)
	if f == nil {
		return nil, &os.PathError{Op: "open", Path: file, Err: fs.ErrNotExist}
	}
	return f, nil
}

// virtualFile is what an open returns: reads come from r, writes go to w.
type virtualFile struct {
	r io.Reader
	w *bytes.Buffer
}

func (f *virtualFile) Read(b []byte) (int, error) {
	if f.r == nil {
		return 0, io.EOF
	}
	return f.r.Read(b)
}

func (f *virtualFile) Write(b []byte) (int, error) {
	if f.w != nil && f.w.Len()+len(b) <= maxOutput {
		f.w.Write(b)
	}
	return len(b), nil
}

func (*virtualFile) Close() error { return nil }

// openPath opens a path of the world; nil when that fails.
func (sh *shell) openPath(name string, site, flag int, dir string) io.ReadWriteCloser {
	w := sh.world
	if !path.IsAbs(name) && !tainted(name) {
		name = path.Join("/", dir, name)
	}
	name = path.Clean(name)
	if host, port, ok := device(name); ok {
		w.note("/dev/tcp")
		if !w.connect("/dev/tcp", endpoint{host: host, port: port, scheme: "tcp"}, site, synSeconds) {
			return nil
		}
		return &virtualFile{r: strings.NewReader(answer + "\n")}
	}
	if w.isBroken(name) {
		return nil
	}
	if flag&(os.O_WRONLY|os.O_RDWR) != 0 {
		return w.writePath(name, flag&os.O_TRUNC != 0)
	}
	return w.readPath(name)
}

func (w *world) isBroken(name string) bool {
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	return w.run.broken[name]
}

// writePath opens a file that only this run sees.
func (w *world) writePath(name string, truncate bool) io.ReadWriteCloser {
	if strings.HasPrefix(name, "/dev/") {
		return &virtualFile{r: strings.NewReader(answer + "\n")}
	}
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	written := w.run.files[name]
	if written == nil || truncate {
		written = &bytes.Buffer{}
		w.run.files[name] = written
	}
	return &virtualFile{w: written}
}

// readPath opens what the run wrote or the bundle shows; nil when that is known to be missing.
func (w *world) readPath(name string) io.ReadWriteCloser {
	w.run.mu.Lock()
	written := w.run.files[name]
	w.run.mu.Unlock()
	if written != nil {
		return &virtualFile{r: bytes.NewReader(written.Bytes())}
	}
	f, state := w.fs.open(name)
	switch {
	case f != nil:
		return &virtualFile{r: strings.NewReader(f.text)}
	case state == missing:
		return nil
	case name == "/dev/null":
		return &virtualFile{}
	case strings.HasPrefix(name, "/dev/"):
		return &virtualFile{r: strings.NewReader(answer + "\n")}
	}
	w.trust()
	return &virtualFile{r: strings.NewReader(unknown + "\n")}
}

// device splits /dev/tcp/host/port.
func device(name string) (host, port string, ok bool) {
	rest, ok := strings.CutPrefix(name, "/dev/tcp/")
	if !ok {
		rest, ok = strings.CutPrefix(name, "/dev/udp/")
	}
	if !ok {
		return "", "", false
	}
	host, port, _ = strings.Cut(rest, "/")
	return host, port, true
}

// entry is a file or directory of the world, as the interpreter wants to see it.
type entry struct {
	name string
	dir  bool
}

func (e entry) Name() string               { return e.name }
func (e entry) IsDir() bool                { return e.dir }
func (e entry) Size() int64                { return 1 }
func (e entry) ModTime() time.Time         { return time.Time{} }
func (e entry) Sys() any                   { return nil }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }
func (e entry) Type() fs.FileMode          { return e.Mode().Type() }

func (e entry) Mode() fs.FileMode {
	if e.dir {
		return fs.ModeDir | 0o755
	}
	return 0o755
}

// stat is the interpreter's StatHandler: cd may go anywhere that is not known to be missing.
func (sh *shell) stat(_ context.Context, name string, _ bool) (fs.FileInfo, error) {
	f, state := sh.world.fs.open(name)
	if state == missing {
		return nil, &os.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	if state == uncertain && !inList("/ /tmp", name) {
		sh.world.trust()
	}
	return entry{name: path.Base(name), dir: f == nil}, nil
}

func (sh *shell) access(_ context.Context, name string, _ interp.AccessMode) error {
	if _, state := sh.world.fs.open(name); state == missing {
		return &os.PathError{Op: "access", Path: name, Err: fs.ErrNotExist}
	}
	return nil
}

func (sh *shell) readDir(_ context.Context, name string) ([]fs.DirEntry, error) {
	names, ok := sh.world.fs.list(name)
	if !ok {
		return nil, nil // not known: an error would end the command, while a pattern without a match stands for itself
	}
	out := make([]fs.DirEntry, 0, len(names))
	for _, n := range names {
		out = append(out, entry{name: n})
	}
	return out, nil
}
