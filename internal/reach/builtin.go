package reach

import (
	"context"
	"path"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/interp"
)

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
		return sh.function("", site, strings.Join(args[1:], " "), nil)
	case "trap":
		return sh.trap(site, args)
	case "exit":
		sh.exitTrap(ctx, site, args)
		return args, nil
	case "wait":
		return []string{callWait}, nil
	case "return":
		if len(args) == 1 { // the interpreter would return 0, a shell the status of the last command
			args = append(args, strconv.Itoa(interp.HandlerCtx(ctx).LastExitStatus))
		}
		return args, nil
	}
	return sh.plainBuiltin(prefix, args)
}

// plainBuiltin answers the builtins that need no more than their arguments; any other program goes to exec with its site.
func (sh *shell) plainBuiltin(prefix string, args []string) ([]string, error) {
	w := sh.world
	switch {
	case inList("alias unalias umask ulimit enable bind history disown times complete compgen", args[0]):
		return []string{":"}, nil
	case inList("kill jobs fg bg suspend caller fc newgrp", args[0]):
		w.note(args[0])
		return []string{callLocal, prefix}, nil
	case args[0] == "read":
		return readArgs(args), nil
	case args[0] == "pwd":
		return args[:1], nil // pwd -P would look at this machine
	case args[0] == "cd":
		return changeDir(args), nil
	case args[0] == "printf":
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

// changeDir drops the options of cd.
func changeDir(args []string) []string {
	rest := args[1:]
	for len(rest) > 0 && inList("-L -P -e -@ --", rest[0]) {
		rest = rest[1:]
	}
	return append([]string{"cd"}, rest...)
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
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		which = which || inList("command-v command-V", args[0]+rest[0])
		taken := 1
		if args[0]+rest[0] == "exec-a" {
			taken = 2
		}
		rest = rest[min(taken, len(rest)):]
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
		return sh.function(path.Clean(full), site, f.text, f, args[2:]...)
	case state == missing:
		return []string{"false"}, nil
	}
	w.hide("the script " + plain(name) + " " + w.fs.whereabouts(name))
	return []string{callLocal, strconv.Itoa(site) + mark}, nil
}

// function makes text callable inside the running shell. The first time the run starts again, with it defined.
func (sh *shell) function(name string, site int, text string, f *textFile, args ...string) ([]string, error) {
	w := sh.world
	if strings.Trim(text, unknown+answer+" ") == "" {
		if tainted(text) {
			w.hide("the shell text is not known")
			return []string{callLocal, strconv.Itoa(site) + mark}, nil
		}
		return []string{":"}, nil
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
