package reach

import (
	"cmp"
	"path"
	"strings"
)

// execProgram answers a program by the tables: the virtual system programs, the clients, the interpreters. Anything else
// is unknown: it is expected to succeed and its answer is not known.
func (w *world) execProgram(p *process, program string, argv []string, site int) (int, error) {
	if status, ok := w.refused(p, program, argv, site); ok {
		return status, nil
	}
	if status, ok, err := w.system(p, program, argv, site); ok {
		w.note(program)
		return status, err
	}
	if program == "sentry" && len(argv) > 3 && argv[1] == "exec" {
		w.note(program)
		return w.snippet(p, "python", argv[len(argv)-1], site, nil, nil), nil
	}
	if interpreter(program) {
		return w.interpreted(p, program, argv, site)
	}
	w.note(program)
	if row := clientNamed(program); row != nil {
		return w.client(p, program, row, argv, site)
	}
	return w.unknown(p, program, argv, site), nil
}

// unknown is a program that no table knows.
func (w *world) unknown(p *process, program string, argv []string, site int) int {
	file := strings.Contains(argv[0], "/")
	if file || strings.HasSuffix(program, ".sh") || strings.HasSuffix(program, ".py") {
		w.hide(w.opaqueFile(argv[0]))
	} else {
		w.hide("what " + plain(program) + " does is not known")
	}
	if _, state := w.fs.open(w.absolute(p, argv[0])); state == missing && file {
		return 127
	}
	return w.finish(p, site)
}

// finish ends a program of which nothing is known: it succeeds unless the run has it fail, and prints something.
func (w *world) finish(p *process, site int) int {
	status := w.status(site)
	if status == 0 {
		p.print(answer + "\n")
	}
	return status
}

func (w *world) opaqueFile(name string) string {
	kind := "program"
	if strings.HasSuffix(name, ".sh") || strings.HasSuffix(name, ".py") {
		kind = "script"
	}
	return "the " + kind + " " + plain(name) + " " + w.fs.whereabouts(name)
}

// client answers a row of the clients table: every server that it names must be up.
func (w *world) client(p *process, program string, row *tool, argv []string, site int) (int, error) {
	call := row.parse(argv[1:])
	ends := w.pod.foreign(call, w.servers(p, call))
	if len(ends) == 0 {
		if call.blurred {
			w.connect(program, endpoint{host: unknown, scheme: row.scheme}, site, 0)
		}
		return w.finish(p, site), nil
	}
	up := w.dial(p, program, call, ends, site)
	p.print(call.output(p, up))
	if !up {
		if !row.stated {
			w.guessed(row.down)
		}
		return row.down, nil
	}
	return 0, nil
}

// dial connects to the servers of a call and reports whether it succeeds: drivers that are given several servers fail over; programs that
// are given several URLs fail when one does, but curl reports the last transfer.
func (w *world) dial(p *process, program string, call *invocation, ends []endpoint, site int) bool {
	failover := call.tool.args != argsURL && call.tool.args != argsHost && !call.demandsAll()
	if failover && len(ends) > 1 {
		w.group(ends)
	}
	alive, last := 0, false
	for _, e := range ends {
		last = w.connect(program, e, site, call.patience(p))
		if last {
			alive++
		}
	}
	if program == "curl" && !call.has("fail-early") {
		return last
	}
	return alive == len(ends) || alive > 0 && failover
}

// guessed notes a status that no documentation states: it is not quoted.
func (w *world) guessed(status int) {
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	w.run.guessed = append(w.run.guessed, status)
}

// foreign drops what else must answer a command where the container is a member of that cluster itself: how its own members depend on
// each other is a different question.
func (p *pod) foreign(c *invocation, ends []endpoint) []endpoint {
	row := c.command()
	if row == nil || row.quorum == "" || len(ends) == 0 {
		return ends
	}
	if strings.Contains(p.subject.Container.Get("image").Text(), strings.ToLower(c.tool.dependency)) {
		return ends[:len(ends)-1]
	}
	return ends
}

// group marks the remote ones of a list of servers as one: they are replicas of each other.
func (w *world) group(ends []endpoint) {
	var names []string
	for _, e := range ends {
		names = append(names, e.host+":"+e.port)
	}
	for i, e := range ends {
		if !e.local && !e.nature && w.pod.locate(e.host).place != Self {
			ends[i].group = "list|" + strings.Join(names, ",")
		}
	}
}

// servers lists what a client asks.
func (w *world) servers(p *process, c *invocation) []endpoint {
	if c.tool.read != nil {
		if ends := c.tool.read(w, p, c); ends != nil {
			for i := range ends {
				ends[i].dependency = cmp.Or(ends[i].dependency, c.tool.dependency)
			}
			return ends
		}
	}
	return c.endpoints(p.getenv)
}

// output is what the client prints.
func (c *invocation) output(p *process, up bool) string {
	if c.tool.says != nil {
		return c.tool.says(p, c, up)
	}
	if !up {
		return ""
	}
	if row := c.command(); row != nil && row.out != "" {
		return row.out
	}
	if c.tool.out != "" {
		return c.tool.out
	}
	return answer + "\n"
}

func interpreter(program string) bool {
	base := strings.TrimRight(program, "0123456789.")
	return inList("python pypy node nodejs ruby php perl deno bun java rails rake lua julia Rscript", base)
}

// interpreted is a call of python, node and their kin: code on the command line, a module, a file of the bundle or the image.
func (w *world) interpreted(p *process, program string, argv []string, site int) (int, error) {
	base := strings.TrimRight(program, "0123456789.")
	w.note(program)
	for i := 1; i < len(argv); i++ {
		a, next := argv[i], argv[i+1:]
		switch {
		case len(next) > 0 && codeFlag(base, a):
			return w.snippet(p, base, next[0], site, nil, append([]string{"-c"}, next[1:]...)), nil
		case len(next) > 0 && base+a == "python-m":
			return w.execProgram(p, firstOf(next[0], "."), next, site)
		case len(next) > 0 && base+a == "railsrunner":
			return w.snippet(p, "ruby", next[0], site, nil, nil), nil
		case !strings.HasPrefix(a, "-"):
			return w.interpretedFile(p, base, argv[i:], site)
		case inList("python-W python-X node-r node--require", base+a):
			i++
		}
	}
	if text := p.input(); text != "" {
		return w.snippet(p, base, text, site, nil, nil), nil
	}
	return w.status(site), nil
}

func codeFlag(base, flag string) bool {
	letters := strings.HasPrefix(flag, "-") && !strings.HasPrefix(flag, "--")
	switch base {
	case "python", "pypy":
		return letters && strings.HasSuffix(flag, "c")
	case "node", "nodejs", "bun":
		return inList("-e --eval -p -pe", flag)
	case "php":
		return flag == "-r"
	case "ruby", "perl", "lua", "julia":
		return letters && strings.HasSuffix(flag, "e") && len(flag) <= 4
	case "deno":
		return flag == "eval"
	}
	return false
}

func (w *world) interpretedFile(p *process, base string, argv []string, site int) (int, error) {
	name := path.Base(argv[0])
	if f, _ := w.fs.open(w.absolute(p, argv[0])); f != nil {
		return w.execForeign(p, f, []string{base}, append([]string{w.absolute(p, argv[0])}, argv[1:]...), site)
	}
	if clientNamed(name) != nil {
		return w.execProgram(p, name, argv, site)
	}
	w.hide(w.opaqueFile(argv[0]))
	return w.finish(p, site), nil
}
