package reach

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// shellEnv is a process's environment with what the shell needs so that it does not ask this machine.
type shellEnv struct {
	p *process
	w *world
}

// Get implements expand.Environ.
func (e shellEnv) Get(name string) expand.Variable {
	if strings.HasPrefix(name, mark) {
		return expand.Variable{Set: true, Kind: expand.String, Str: e.w.shellValue(name)}
	}
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
	e.p.env.Each(func(name string, _ expand.Variable) bool {
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

// shellValue answers the variables that instrument put in the place of the shell's own.
func (w *world) shellValue(name string) string {
	if value, ok := strings.CutPrefix(name, varSource); ok {
		return value
	}
	if name == varProcess {
		return "7"
	}
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	if member, ok := strings.CutPrefix(name, varPipe); ok {
		return strconv.Itoa(w.run.pipe[member])
	}
	return strconv.Itoa(int(w.run.clock))
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
	if s.err != "" {
		w.hide(s.err)
	}
	if s.file == nil || s.err != "" && !w.run.static {
		return 0, errLost
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
	file := s.file
	if s.name == "" && len(call.params) > 0 { // $0 of sh -c text NAME
		named := *s.file
		named.Name = call.params[0]
		file = &named
	}
	return sh.ended(r.Run(p.ctx, file))
}

// ended turns the interpreter's error into an exit status, or into what ends the whole run.
func (sh *shell) ended(err error) (int, error) {
	for _, stop := range [...]error{errEndless, errRestart, errLost} {
		if errors.Is(err, stop) {
			return 0, stop
		}
	}
	sh.world.run.mu.Lock()
	exited := sh.exited
	sh.world.run.mu.Unlock()
	var status interp.ExitStatus
	switch {
	case exited != nil:
		return *exited, nil
	case err == nil:
		return 0, nil
	case errors.As(err, &status):
		return int(status), nil
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
		interp.Env(shellEnv{sh.proc, sh.world}),
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
	case callStore:
		p.print(w.store(p.input()))
	case callBack:
		w.run.mu.Lock()
		w.run.job = interp.HandlerCtx(p.ctx).LastExitStatus
		w.run.mu.Unlock()
	case callFork, callJoin:
		w.run.mu.Lock()
		w.run.background += map[string]int{callFork: 1, callJoin: -1}[args[0]]
		w.run.mu.Unlock()
	default:
		return exit(sh.pseudoStatus(p, args))
	}
	return nil
}

// pseudoStatus answers those that only have a status.
func (sh *shell) pseudoStatus(p *process, args []string) int {
	w := sh.world
	switch args[0] {
	case callOpen:
		id, _ := unmark(args[1])
		failed := sh.openPath(args[2], id, os.O_RDWR, p.dir) == nil
		if len(args) > 3 {
			w.setDescriptor(args[3], failed)
		}
		if failed {
			return 1
		}
	case callPipe:
		return sh.world.reported(args[1:])
	case callWait:
		return sh.world.run.job
	case callWhich:
		return sh.world.which(p, args[1:])
	case callLocal:
		id, _ := unmark(args[1])
		return sh.world.status(id)
	}
	return 0
}

// setDescriptor remembers whether a file descriptor could be opened: reading from one that could not fails.
func (w *world) setDescriptor(fd string, failed bool) {
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	if w.run.broken == nil {
		w.run.broken = map[string]bool{}
	}
	w.run.broken[virtualDir+fd] = failed
}

// store keeps text as a virtual file and names it.
func (w *world) store(text string) string {
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	name := virtualDir + "store" + strconv.Itoa(len(w.run.files))
	w.run.files[name] = bytes.NewBufferString(text)
	return name
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
