package reach

import (
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
)

func (w *world) execWrapped(p *process, program string, argv []string, u unwrapped, site int) (int, error) {
	inner := *p
	inner.depth++
	if len(u.assign) > 0 {
		inner.overlay = map[string]string{}
		for k, v := range p.overlay {
			inner.overlay[k] = v
		}
		for _, a := range u.assign {
			k, v, _ := strings.Cut(a, "=")
			inner.overlay[k] = v
		}
	}
	if program == "nsenter" {
		w.hide("nsenter leaves the container's namespaces")
	}
	run := func() (int, error) {
		if u.script != "" {
			return w.execShell(&inner, []string{"sh", "-c", u.script}, site)
		}
		if program == "xargs" {
			return w.xargs(p, &inner, argv[1:len(argv)-len(u.argv)], u.argv, site)
		}
		return w.exec(&inner, u.argv, site)
	}
	if program != "timeout" && program != "gtimeout" {
		return run()
	}
	return w.limited(timeoutSeconds(argv), run)
}

// limited runs a program under timeout(1): status 124 when virtual time runs out.
func (w *world) limited(seconds float64, run func() (int, error)) (int, error) {
	r := w.run
	r.mu.Lock()
	outer := r.deadline
	own := r.clock + seconds
	if own < outer {
		r.deadline = own
	}
	r.mu.Unlock()
	status, err := run()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.deadline = outer
	if (err == nil || errors.Is(err, errEndless)) && r.clock > own && own <= outer && r.steps <= maxSteps && !r.closed {
		r.clock = own
		return 124, nil
	}
	return status, err
}

func timeoutSeconds(argv []string) float64 {
	for _, a := range argv[1:] {
		if s := duration(a); s > 0 {
			return s
		}
	}
	return maxSeconds
}

// duration reads 5, 0.5, 5s, 2m, 1h.
func duration(s string) float64 {
	unit := 1.0
	if n := len(s); n > 1 {
		switch s[n-1] {
		case 's':
			s = s[:n-1]
		case 'm':
			unit, s = 60, s[:n-1]
		case 'h':
			unit, s = 3600, s[:n-1]
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || v < 0 || v != v {
		return 0
	}
	return min(v*unit, 1e6)
}

// execFile runs a file of the bundle: by its first line, as the kernel does.
func (w *world) execFile(p *process, f *textFile, argv []string, site int) (int, error) {
	first, _, _ := strings.Cut(f.text, "\n")
	interpreter := []string{"sh"}
	if line, ok := strings.CutPrefix(first, "#!"); ok {
		interpreter = strings.Fields(line)
	}
	if len(interpreter) == 0 {
		interpreter = []string{"sh"}
	}
	if path.Base(interpreter[0]) == "env" {
		interpreter = interpreter[1:]
		if len(interpreter) > 0 && interpreter[0] == "-S" {
			interpreter = interpreter[1:]
		}
	}
	if len(interpreter) == 0 || !isShell(path.Base(interpreter[0])) {
		return w.execForeign(p, f, interpreter, append([]string{w.absolute(p, argv[0])}, argv[1:]...), site)
	}
	full := append(slices.Clone(interpreter), w.absolute(p, argv[0]))
	return w.execShell(p, append(full, argv[1:]...), site)
}

// execForeign is a script in another language whose text is in the bundle: its string literals are read.
func (w *world) execForeign(p *process, f *textFile, interpreter, argv []string, site int) (int, error) {
	name := "another language"
	if len(interpreter) > 0 {
		name = strings.TrimRight(path.Base(interpreter[0]), "0123456789.")
	}
	w.note(name)
	s := w.loadForeign(argv[0], f, site)
	return w.snippet(p, name, f.text, w.codeSite(s, 0, &code{text: f.text}), s, argv), nil
}

// execShell runs a shell: text of -c, a file, or standard input.
func (w *world) execShell(p *process, argv []string, site int) (int, error) {
	call := parseShell(argv)
	switch {
	case call.ok && call.inline:
		if strings.Trim(call.text, unknown+answer+" \n\t\"") == "" && tainted(call.text) {
			w.hide("the shell text is not known")
			return w.status(site), nil
		}
		return w.runScript(p, w.load("", call.text, nil, site), call)
	case call.ok:
		return w.execShellFile(p, call, site)
	}
	text := p.input()
	if text == "" {
		return 0, nil
	}
	return w.runScript(p, w.load("", text, nil, site), shellCall{params: []string{"sh"}, flags: call.flags, opts: call.opts})
}

func (w *world) execShellFile(p *process, call shellCall, site int) (int, error) {
	name := w.absolute(p, call.file)
	f, state := w.fs.open(name)
	w.run.mu.Lock()
	buffer := w.run.files[name]
	w.run.mu.Unlock()
	if f == nil && buffer != nil {
		return w.runScript(p, w.load("", buffer.String(), nil, site), call)
	}
	if f == nil || tainted(call.file) {
		return w.missingScript(call.file, state, site)
	}
	if first, _, _ := strings.Cut(f.text, "\n"); strings.HasPrefix(first, "#!") && strings.Contains(first, "python") {
		return w.execForeign(p, f, []string{"python"}, append([]string{name}, call.params...), site)
	}
	return w.runScript(p, w.load(name, f.text, f, site), call)
}

func (w *world) missingScript(file string, state presence, site int) (int, error) {
	if state == missing {
		w.hide("the script " + plain(file) + " is not in the mounted volume")
		return 127, nil
	}
	w.hide("the script " + plain(file) + " " + w.fs.whereabouts(file))
	return w.status(site), nil
}
