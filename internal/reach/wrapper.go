package reach

import "strings"

// wrapper is a program that runs another one given on its own command line.
type wrapper struct {
	names  string
	values string // options that take a value
	skip   int    // words between its options and the program (timeout's duration, gosu's user)
	assign bool   // takes NAME=value words before the program (env)
	code   string // the option whose value is shell text (su -c)
	words  string // words that must follow the name ("run" of poetry)
}

// wrappers is the table of programs that are looked through.
//
//nolint:gochecknoglobals // an immutable table; the linker lays it out, nothing runs at start-up
var wrappers = [...]wrapper{
	{names: "env", values: "u unset C chdir S split-string", assign: true},
	{names: "timeout gtimeout", values: "k kill-after s signal t", skip: 1},
	{names: "nice", values: "n adjustment"},
	{names: "ionice", values: "c n p class classdata"},
	{names: "chrt", values: "p", skip: 1},
	{names: "taskset", skip: 1},
	{names: "nohup setsid busybox toybox time chronic unbuffer linux64 catatonit with-contenv"},
	{names: "exec command builtin", values: "a"},
	{names: "stdbuf", values: "i o e input output error"},
	{names: "sudo doas", values: "u user g group h host p C r t D", assign: true},
	{names: "su-exec gosu s6-setuidgid setuidgid", skip: 1},
	{names: "chpst softlimit s6-softlimit", values: "u U b / e n l L m d o p f c r t"},
	{names: "su", values: "c command s shell g group G", skip: -1, code: "c command"},
	{names: "runuser", values: "u user c command s shell g group G", code: "c command"},
	{names: "setpriv", values: "reuid regid groups inh-caps ambient-caps bounding-set securebits selinux-label apparmor-profile"},
	{names: "chroot", values: "userspec groups", skip: 1},
	{names: "tini tini-static dumb-init", values: "p e r rewrite"},
	{names: "nsenter", values: "t target S G setuid setgid"},
	{names: "unshare", values: "R w S G"},
	{names: "flock", values: "w E timeout wait conflict-exit-code", skip: 1},
	{names: "xargs", values: "n I L P s d E a max-args max-procs max-chars delimiter arg-file"},
	{names: "bundle", words: "exec"},
	{names: "poetry pipenv uv pdm hatch rye", words: "run"},
	{names: "entrypoint entrypoint.sh docker-entrypoint docker-entrypoint.sh docker_entrypoint.sh container-entrypoint tool-entrypoint.sh"},
}

func wrapperNamed(name string) *wrapper {
	for i := range wrappers {
		if inList(wrappers[i].names, name) {
			return &wrappers[i]
		}
	}
	return nil
}

// unwrapped is what a wrapper runs.
type unwrapped struct {
	argv   []string
	assign []string // NAME=value
	script string   // shell text instead of argv
	ok     bool
}

// unwrap finds the program that argv, a call of w, runs.
func (w *wrapper) unwrap(argv []string) unwrapped {
	rest, ok := w.behindWords(argv[1:])
	if !ok {
		return unwrapped{}
	}
	var out unwrapped
	skip := w.skip
	for len(rest) > 0 {
		word := rest[0]
		switch {
		case word == "--":
			return w.program(out, rest[1:], skip)
		case strings.HasPrefix(word, "-") && len(word) > 1:
			n := w.option(&out, rest, &skip)
			rest = rest[min(n, len(rest)):]
			if out.ok {
				return out
			}
		case word == "-" && w.code != "":
			rest = rest[1:]
		case skip == -1: // su USER -c …: the user may stand before the options
			skip, rest = 0, rest[1:]
		default:
			return w.program(out, rest, skip)
		}
	}
	return unwrapped{}
}

// behindWords drops the words that must follow the wrapper's name.
func (w *wrapper) behindWords(rest []string) ([]string, bool) {
	if w.words == "" {
		return rest, true
	}
	if len(rest) == 0 || rest[0] != w.words {
		return nil, false
	}
	return rest[1:], true
}

func (w *wrapper) program(out unwrapped, rest []string, skip int) unwrapped {
	rest = rest[min(max(skip, 0), len(rest)):]
	for w.assign && len(rest) > 0 && strings.Contains(rest[0], "=") {
		out.assign = append(out.assign, rest[0])
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return unwrapped{}
	}
	out.argv, out.ok = rest, true
	return out
}

// option reads one option and returns how many words it takes.
func (w *wrapper) option(out *unwrapped, rest []string, skip *int) int {
	name := strings.TrimLeft(rest[0], "-")
	key, value, hasValue := strings.Cut(name, "=")
	taken := 1
	switch short := !strings.HasPrefix(rest[0], "--") && len(name) > 1; {
	case hasValue:
	case short && inList(w.values, name[:1]):
		key, value = name[:1], name[1:]
	case inList(w.values, key) && len(rest) > 1:
		value, taken = rest[1], 2
	}
	switch {
	case inList(w.code, key):
		out.script, out.ok = value, value != ""
	case w.skip == 1 && key == "t": // BusyBox' timeout -t SECONDS PROGRAM
		*skip = 0
	case inList("S split-string", key) && w.assign: // env -S "program arguments"
		out.script, out.ok = value, value != ""
	}
	return taken
}

// shellCall is how a shell was called.
type shellCall struct {
	text   string // of -c
	inline bool
	file   string
	params []string // $0 first
	flags  string   // "e", "u", "x", …
	opts   []string // of -o
	ok     bool
}

// parseShell reads the arguments of sh, bash and their kin: options may stand before and after -c; the first word that
// is no option is the script (sh -c -e 'script', bash -ec 'script', bash -o pipefail -c 'script').
func parseShell(argv []string) shellCall {
	var c shellCall
	rest := argv[1:]
	for len(rest) > 0 {
		word := rest[0]
		if len(word) < 2 || (word[0] != '-' && word[0] != '+') {
			break
		}
		rest = rest[1:]
		if word == "--" {
			break
		}
		switch {
		case inList("--rcfile --init-file", word):
			rest = rest[min(1, len(rest)):]
		case !strings.HasPrefix(word, "--"):
			rest = c.letters(word, rest)
		}
	}
	if len(rest) == 0 {
		return c
	}
	c.ok = true
	if c.inline {
		c.text = rest[0]
		c.params = append([]string{"sh"}, rest[1:]...)
		if len(rest) > 1 {
			c.params = rest[1:]
		}
		return c
	}
	c.file, c.params = rest[0], rest
	return c
}

func (c *shellCall) letters(word string, rest []string) []string {
	for _, letter := range word[1:] {
		switch letter {
		case 'c':
			c.inline = true
		case 'o', 'O':
			if len(rest) > 0 {
				if letter == 'o' && word[0] == '-' {
					c.opts = append(c.opts, rest[0])
				}
				rest = rest[1:]
			}
		case 'e', 'u', 'f':
			if word[0] == '-' {
				c.flags += string(letter)
			}
		}
	}
	return rest
}

func isShell(name string) bool {
	switch name {
	case "sh", "bash", "ash", "dash", "ksh", "mksh", "zsh", "rbash":
		return true
	}
	return false
}
