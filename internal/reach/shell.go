package reach

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// shellEnv is a process's environment with what the shell needs so that it does not ask this machine.
type shellEnv struct{ p *process }

// Get implements expand.Environ.
func (e shellEnv) Get(name string) expand.Variable {
	if v, ok := e.p.overlay[name]; ok {
		return expand.Variable{Set: true, Exported: true, Kind: expand.String, Str: v}
	}
	if v := e.p.env.Get(name); v.IsSet() {
		if !v.Exported {
			return expand.Variable{}
		}
		return v
	}
	if v, ok := shellDefault(name); ok {
		return expand.Variable{Set: true, Exported: true, Kind: expand.String, Str: v}
	}
	return expand.Variable{}
}

// Each implements expand.Environ.
func (e shellEnv) Each(fn func(string, expand.Variable) bool) {
	for _, name := range [...]string{"HOME", "PATH", "UID", "EUID", "GID", "TMPDIR"} {
		if !fn(name, e.Get(name)) {
			return
		}
	}
	done := false
	e.p.env.Each(func(name string, v expand.Variable) bool {
		done = !fn(name, e.Get(name))
		return !done
	})
	for name := range e.p.overlay {
		if done {
			return
		}
		done = !fn(name, e.Get(name))
	}
}

func shellDefault(name string) (string, bool) {
	switch name {
	case "HOME":
		return "/root", true
	case "PATH":
		return "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", true
	case "UID", "EUID", "GID":
		return "0", true
	case "TMPDIR":
		return "/tmp", true
	case "USER":
		return "root", true
	}
	return "", false
}

// shell is one interpreter run of a script; its methods are the handlers that stand between it and everything else.
type shell struct {
	world *world
	proc  *process
	// exited is the status that exit gave inside a trap: the interpreter keeps the one from before, bash does not.
	exited *int
}

// runScript runs s in the interpreter with every handler virtual.
func (w *world) runScript(p *process, s *script, call shellCall) (int, error) {
	if s.err != "" || s.file == nil {
		w.hide(s.err)
		if s.file == nil {
			return 0, errLost
		}
		if !w.run.static {
			return 0, errLost
		}
	}
	inner := *p
	inner.depth++
	if w.run.static {
		return 0, w.readScript(&inner, s)
	}
	sh := &shell{world: w, proc: &inner}
	r, err := sh.runner(s, call)
	if err != nil {
		return 0, err
	}
	err = r.Run(p.ctx, s.file)
	w.run.mu.Lock()
	exited := sh.exited
	w.run.mu.Unlock()
	if exited != nil && !errors.Is(err, errEndless) && !errors.Is(err, errRestart) && !errors.Is(err, errLost) {
		return *exited, nil
	}
	var status interp.ExitStatus
	switch {
	case err == nil:
		return 0, nil
	case errors.As(err, &status):
		return int(status), nil
	case errors.Is(err, errEndless) || errors.Is(err, errRestart) || errors.Is(err, errLost):
		return 0, err
	}
	return 0, errLost
}

func (sh *shell) runner(s *script, call shellCall) (*interp.Runner, error) {
	out := sh.proc.stdout
	if out == nil {
		out = io.Discard
	}
	// The interpreter wants a file for standard input; without one it would read this process's.
	opts := []interp.RunnerOption{
		interp.Env(shellEnv{sh.proc}),
		interp.StdIO(sh.proc.stdin, out, io.Discard),
		func(r *interp.Runner) error { r.Dir = sh.dir(); return nil }, // interp.Dir would look at this machine
		interp.ExecHandlers(func(interp.ExecHandlerFunc) interp.ExecHandlerFunc { return sh.exec }),
		interp.CallHandler(sh.call),
		interp.OpenHandler(sh.open),
		interp.StatHandler(sh.stat),
		interp.AccessHandler(sh.access),
		interp.ReadDirHandler2(sh.readDir),
	}
	r, err := interp.New(opts...)
	if err != nil {
		return nil, err
	}
	params := []string{}
	for _, letter := range call.flags {
		params = append(params, "-"+string(letter))
	}
	for _, name := range call.opts {
		if name == "pipefail" || name == "errexit" || name == "nounset" {
			params = append(params, "-o", name)
		}
	}
	params = append(params, "--")
	if len(call.params) > 1 {
		params = append(params, call.params[1:]...)
	}
	if err := interp.Params(params...)(r); err != nil {
		return nil, err
	}
	r.Reset()
	if len(sh.world.sources) > 0 {
		r.Funcs = map[string]*syntax.Stmt{}
		for i, src := range sh.world.sources {
			r.Funcs[callSource+strconv.Itoa(i)] = &syntax.Stmt{Cmd: &syntax.Block{Stmts: src.file.Stmts}}
		}
	}
	_ = s
	return r, nil
}

func (sh *shell) dir() string {
	if sh.proc.dir == "" {
		return "/"
	}
	return sh.proc.dir
}

// process is a program called by the script.
func (sh *shell) process(ctx context.Context) *process {
	hc := interp.HandlerCtx(ctx)
	return &process{ctx: ctx, env: hc.Env, dir: hc.Dir, stdin: hc.Stdin, stdout: hc.Stdout, depth: sh.proc.depth}
}

// unmark splits the call-site number off a marked word.
func unmark(word string) (int, string) {
	i := strings.LastIndex(word, mark)
	if i < 0 {
		return -1, word
	}
	from := strings.LastIndex(word[:i], mark) + 1
	id, err := strconv.Atoi(word[from:i])
	if err != nil {
		return -1, word[i+1:]
	}
	return id, word[i+1:]
}

// exec is the interpreter's ExecHandler.
func (sh *shell) exec(ctx context.Context, args []string) error {
	p := sh.process(ctx)
	if strings.HasPrefix(args[0], mark) {
		return sh.pseudo(p, args)
	}
	site, program := unmark(args[0])
	argv := append([]string{program}, args[1:]...)
	status, err := sh.world.exec(p, argv, site)
	if err != nil {
		return err
	}
	if status != 0 {
		return interp.ExitStatus(status)
	}
	return nil
}

// pseudo answers the calls that instrument added.
func (sh *shell) pseudo(p *process, args []string) error {
	w := sh.world
	switch args[0] {
	case callTaint:
		return sh.taint(p, args[1:])
	case callPoisoned:
		id, _ := unmark(args[1])
		if len(args) == 5 && anyTainted(args[3:]) {
			p.print(bit(w.decide(id, args[2], args[3], args[4])))
		}
	case callFileTest:
		id, _ := unmark(args[1])
		p.print(bit(w.fileTest(id, args[2], w.absolute(p, args[len(args)-1]))))
	case callOpen:
		id, _ := unmark(args[1])
		if f := sh.openPath(args[2], id, os.O_RDWR, p.dir); f == nil {
			return interp.ExitStatus(1)
		}
	case callStore:
		text := p.input() // not under the lock: the other end of the pipe needs it
		w.run.mu.Lock()
		name := virtualDir + "store" + strconv.Itoa(len(w.run.files))
		w.run.files[name] = bytes.NewBufferString(text)
		w.run.mu.Unlock()
		p.print(name)
	case callBack:
		w.run.mu.Lock()
		w.run.job = interp.HandlerCtx(p.ctx).LastExitStatus
		w.run.mu.Unlock()
	case callWait:
		if w.run.job != 0 {
			return interp.ExitStatus(w.run.job)
		}
	case callWhich:
		return exit(w.which(p, args[1:]))
	case callLocal:
		id, _ := unmark(args[1])
		return exit(w.status(id))
	}
	return nil
}

func exit(status int) error {
	if status == 0 {
		return nil
	}
	return interp.ExitStatus(status)
}

func bit(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// taint prints the taint of its arguments; with a site number it prints nothing and makes the run vague instead.
func (sh *shell) taint(p *process, args []string) error {
	if len(args) > 0 && strings.HasSuffix(args[0], mark) {
		if anyTainted(args[1:]) {
			sh.world.run.mu.Lock()
			sh.world.run.vague = true
			sh.world.run.mu.Unlock()
		}
		return nil
	}
	p.print(taintOf(strings.Join(args, "")))
	return nil
}

// call is the interpreter's CallHandler: it counts, and answers the builtins that would look at this machine.
func (sh *shell) call(ctx context.Context, args []string) ([]string, error) {
	w := sh.world
	if err := w.tick(0); err != nil {
		return nil, err
	}
	size := 0
	for _, a := range args {
		size += len(a)
	}
	if size > maxOutput || len(args) > 4096 {
		return nil, errLost
	}
	if strings.HasPrefix(args[0], mark) {
		return args, nil
	}
	site, program := unmark(args[0])
	for program == "" && len(args) > 1 { // an empty $WRAPPER before the program
		args = args[1:]
		program = args[0]
	}
	if program == "" {
		return []string{":"}, nil
	}
	args = append([]string{program}, args[1:]...)
	prefix := strconv.Itoa(site) + mark
	if site < 0 {
		prefix = ""
	}
	return sh.builtin(ctx, site, prefix, args)
}

func (sh *shell) builtin(ctx context.Context, site int, prefix string, args []string) ([]string, error) {
	w := sh.world
	switch args[0] {
	case "[", "test":
		return sh.bracket(ctx, site, args)
	case "exec", "command":
		return sh.command(prefix, args)
	case "type", "hash":
		return append([]string{callWhich}, args[1:]...), nil
	case ".", "source":
		return sh.source(ctx, site, args)
	case "eval":
		return sh.function(ctx, site, strings.Join(args[1:], " "), nil)
	case "trap":
		return sh.trap(site, args)
	case "exit":
		sh.exitTrap(ctx, site, args)
		return args, nil
	case "wait":
		return []string{callWait}, nil
	case "alias", "unalias", "umask", "ulimit", "enable", "bind", "history", "disown", "times", "complete", "compgen":
		return []string{":"}, nil
	case "kill", "jobs", "fg", "bg", "suspend", "caller", "fc", "newgrp":
		w.note(args[0])
		return []string{callLocal, prefix}, nil
	case "read":
		return readArgs(args), nil
	case "printf":
		if wide(args) {
			return nil, errLost
		}
		return args, nil
	}
	if interp.IsBuiltin(args[0]) || w.isFunction(args[0]) {
		return args, nil
	}
	args[0] = prefix + args[0]
	return args, nil
}

// wide reports printf formats that pad without bound.
func wide(args []string) bool {
	for _, a := range args[1:] {
		run := 0
		for i := range len(a) {
			if a[i] >= '0' && a[i] <= '9' {
				run++
			} else {
				run = 0
			}
			if run > 3 && strings.Contains(a, "%") || a[i] == '*' && strings.Contains(a, "%") {
				return true
			}
		}
	}
	return false
}

// readArgs drops read's timeout: it would need a clock.
func readArgs(args []string) []string {
	out := args[:1:1]
	for i := 1; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-t":
			i++
		case strings.HasPrefix(a, "-t"):
		case strings.HasPrefix(a, "-") && strings.HasSuffix(a, "t") && len(a) > 2:
			out = append(out, a[:len(a)-1])
			i++
		default:
			out = append(out, a)
		}
	}
	return out
}

func (w *world) isFunction(name string) bool {
	w.loading.Lock()
	defer w.loading.Unlock()
	return w.functions[name]
}

func (sh *shell) command(prefix string, args []string) ([]string, error) {
	rest := args[1:]
	which := false
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") && len(rest[0]) > 1 {
		which = which || strings.ContainsAny(rest[0], "vV") && args[0] == "command"
		if rest[0] == "-a" && args[0] == "exec" && len(rest) > 1 {
			rest = rest[1:]
		}
		rest = rest[1:]
	}
	switch {
	case which:
		return append([]string{callWhich}, rest...), nil
	case len(rest) == 0:
		return []string{":"}, nil
	case args[0] == "command" && interp.IsBuiltin(rest[0]):
		return rest, nil
	}
	marked := append([]string{prefix + rest[0]}, rest[1:]...)
	if args[0] == "command" {
		return marked, nil
	}
	return append([]string{"exec"}, marked...), nil
}

// source turns ". file" into a call of a function that holds the file's text.
func (sh *shell) source(ctx context.Context, site int, args []string) ([]string, error) {
	w := sh.world
	if len(args) < 2 {
		return []string{"false"}, nil
	}
	name := args[1]
	full := name
	if !path.IsAbs(name) {
		full = path.Join(interp.HandlerCtx(ctx).Dir, name)
	}
	f, state := w.fs.open(full)
	switch {
	case f != nil && !tainted(name):
		return sh.function(ctx, site, f.text, f, args[2:]...)
	case state == missing:
		return []string{"false"}, nil
	}
	w.hide("the script " + plain(name) + " is inside the image")
	return []string{callLocal, strconv.Itoa(site) + mark}, nil
}

// function makes text callable inside the running shell. The first time the run starts again, with it defined.
func (sh *shell) function(ctx context.Context, site int, text string, f *textFile, args ...string) ([]string, error) {
	w := sh.world
	if strings.Trim(text, unknown+answer+" ") == "" {
		if tainted(text) {
			w.hide("the shell text is not known")
			return []string{callLocal, strconv.Itoa(site) + mark}, nil
		}
		return []string{":"}, nil
	}
	name := ""
	if f != nil {
		name = f.path
		if !path.IsAbs(name) {
			name = path.Join(interp.HandlerCtx(ctx).Dir, name)
		}
	}
	id, err := sh.defined(w.load(name, text, f, site))
	if err != nil {
		return nil, err
	}
	return append([]string{callSource + strconv.Itoa(id)}, args...), nil
}

func (sh *shell) defined(s *script) (int, error) {
	w := sh.world
	if s.err != "" || s.file == nil {
		w.hide(s.err)
		return 0, errLost
	}
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	for i, src := range w.sources {
		if src == s {
			return i, nil
		}
	}
	if len(w.sources) >= maxScripts {
		return 0, errLost
	}
	w.sources = append(w.sources, s)
	return 0, errRestart
}

func (sh *shell) trap(site int, args []string) ([]string, error) {
	if len(args) < 3 || args[1] == "" || args[1] == "-" || strings.HasPrefix(args[1], "-") {
		return args, nil
	}
	for _, signal := range args[2:] {
		if signal != "EXIT" && signal != "0" && signal != "ERR" {
			return []string{":"}, nil
		}
	}
	s := sh.world.load("", args[1], nil, site)
	sh.world.loading.Lock()
	s.trap = true
	sh.world.loading.Unlock()
	id, err := sh.defined(s)
	if err != nil {
		return nil, err
	}
	out := append([]string{"trap", callSource + strconv.Itoa(id)}, args[2:]...)
	for i := range out[2:] {
		if out[i+2] == "0" {
			out[i+2] = "EXIT"
		}
	}
	return out, nil
}

// exitTrap keeps the status of an exit inside a trap.
func (sh *shell) exitTrap(ctx context.Context, site int, args []string) {
	if site < 0 || !sh.world.siteAt(site).script.trap {
		return
	}
	status := interp.HandlerCtx(ctx).LastExitStatus
	if len(args) > 1 {
		if n, err := strconv.Atoi(args[1]); err == nil {
			status = n & 0xff
		}
	}
	sh.world.run.mu.Lock()
	sh.exited = &status
	sh.world.run.mu.Unlock()
}

// bracket evaluates [ … ] and test.
func (sh *shell) bracket(ctx context.Context, site int, args []string) ([]string, error) {
	words := args[1:]
	if args[0] == "[" {
		if len(words) == 0 || words[len(words)-1] != "]" {
			return args, nil
		}
		words = words[:len(words)-1]
	}
	t := &condition{world: sh.world, site: site, words: words, dir: interp.HandlerCtx(ctx).Dir}
	result, ok := t.evaluate()
	if !ok {
		return args, nil
	}
	if result {
		return []string{"true"}, nil
	}
	return []string{"false"}, nil
}

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
		if !w.connect("/dev/tcp", endpoint{host: host, port: port, scheme: "tcp"}, site) {
			return nil
		}
		return &virtualFile{r: strings.NewReader(answer + "\n")}
	}
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	written := w.run.files[name]
	if flag&(os.O_WRONLY|os.O_RDWR) != 0 {
		if strings.HasPrefix(name, "/dev/") {
			return &virtualFile{r: strings.NewReader(answer + "\n")}
		}
		if written == nil || flag&os.O_TRUNC != 0 {
			written = &bytes.Buffer{}
			w.run.files[name] = written
		}
		return &virtualFile{w: written}
	}
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
	case strings.HasPrefix(name, virtualDir) || strings.HasPrefix(name, "/dev/"):
		return &virtualFile{r: strings.NewReader(answer + "\n")}
	}
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
		return nil, &os.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	out := make([]fs.DirEntry, 0, len(names))
	for _, n := range names {
		out = append(out, entry{name: n})
	}
	return out, nil
}

// readScript evaluates the calls of s in the order of the text, whatever decides between them: the static answer.
func (w *world) readScript(p *process, s *script) error {
	vars := map[string]string{}
	maps.Copy(vars, p.overlay)
	inner := *p
	inner.overlay = vars
	cfg := &expand.Config{
		Env: shellEnv{&inner},
		CmdSubst: func(out io.Writer, cs *syntax.CmdSubst) error {
			if len(cs.Stmts) == 1 {
				if c, ok := cs.Stmts[0].Cmd.(*syntax.CallExpr); ok && len(c.Args) > 0 && strings.HasPrefix(c.Args[0].Lit(), mark) {
					return nil
				}
			}
			_, err := io.WriteString(out, answer)
			return err
		},
		ProcSubst: func(*syntax.ProcSubst) (string, error) { return "/dev/null", nil },
		NoUnset:   false,
	}
	called := s.called()
	var failed error
	syntax.Walk(s.file, func(n syntax.Node) bool {
		if failed != nil {
			return false
		}
		switch n := n.(type) {
		case *syntax.FuncDecl:
			return n.Name != nil && called[n.Name.Value]
		case *syntax.Assign:
			if n.Name != nil && n.Value != nil {
				if v, err := expand.Literal(cfg, n.Value); err == nil && len(v) < maxOutput {
					vars[n.Name.Value] = v
				}
			}
		case *syntax.CallExpr:
			failed = w.readCall(cfg, &inner, n)
		}
		return true
	})
	return failed
}

func (w *world) readCall(cfg *expand.Config, p *process, c *syntax.CallExpr) error {
	if len(c.Args) == 0 || strings.HasPrefix(c.Args[0].Lit(), mark) {
		return nil
	}
	fields, err := expand.Fields(cfg, c.Args...)
	if err != nil || len(fields) == 0 {
		return w.tick(0)
	}
	site, program := unmark(fields[0])
	if program == "" || interp.IsBuiltin(program) && program != "exec" && program != "command" || w.isFunction(program) {
		return w.tick(0)
	}
	quiet := *p
	quiet.stdout, quiet.stdin = nil, nil
	_, err = w.exec(&quiet, append([]string{program}, fields[1:]...), site)
	if errors.Is(err, errEndless) {
		return err
	}
	return nil
}

// called lists the names that appear as commands.
func (s *script) called() map[string]bool {
	out := map[string]bool{}
	syntax.Walk(s.file, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 {
			_, program := unmark(c.Args[0].Lit())
			out[program] = true
		}
		return true
	})
	return out
}
