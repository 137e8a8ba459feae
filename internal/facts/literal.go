package facts

import (
	"path"
	"slices"
	"strings"

	"github.com/hclint/hclint/loader"
)

// Literal is text in a probe that nobody expands as its author meant.
type Literal struct {
	Path Path `json:"path"`
	// Kind: variable ($X without a shell), operator (| or && without a shell), program (a whole command line as the name of the
	// program), substitution ($(cmd) without a shell), empty ($(X) of a valueFrom variable), unexpanded ($(X) that the kubelet
	// does not know), request ($X or $(X) in a field that is no command).
	Kind string `json:"kind" jsonschema:"enum=variable,enum=operator,enum=program,enum=substitution,enum=empty,enum=unexpanded,enum=request"`
	Text string `json:"text" jsonschema:"description=as written: $DB_HOST or | or $(POD_IP)"`
	Name string `json:"name" jsonschema:"description=of the variable"`
	// Shell: a shell runs the command, so that it reads what the kubelet leaves.
	Shell bool `json:"shell"`
	// EnvFrom: the container has envFrom, where the variable may come from.
	EnvFrom bool `json:"env_from"`
	// Certain is false when the text may be a placeholder of another program.
	Certain bool `json:"certain"`
}

// literals reads the command, or the request, of a probe as the kubelet does: no shell, $(X) only from the container's own
// env entries with a plain value, the others of its env entries as empty text, and nothing at all outside of commands
// (k8s.io/kubernetes pkg/kubelet/container/helpers.go, ExpandContainerCommandOnlyStatic).
func (p *Probe) literals(container, n loader.Node) {
	if p.Handler != keyExec {
		p.Literals = requestLiterals(container, n.Get(p.Handler))
		return
	}
	if len(p.Command) == 0 {
		return
	}
	r := commandReader{variables: newVariables(container), command: p.Command, path: n.Get(keyExec, keyCommand).Path()}
	r.shell = slices.ContainsFunc(p.Command, func(word string) bool { return isShell(path.Base(word)) })
	r.program = path.Base(p.Command[0])
	r.read()
	p.Literals = r.found
	if len(r.found) > 0 {
		p.Shell = inShell(p.Command, r.shell)
	}
}

// variables are the env entries of a container.
type variables struct {
	plain, from map[string]bool // with a value; with valueFrom
	placeholder map[string]bool // with a value that another program fills in
	envFrom     bool
}

func newVariables(container loader.Node) variables {
	v := variables{plain: map[string]bool{}, from: map[string]bool{}, placeholder: map[string]bool{}}
	v.envFrom = container.Get("envFrom").Len() > 0
	for _, e := range container.Get("env").Items() {
		name := e.Get("name").Text()
		switch value := e.Get("value"); {
		case e.Get("valueFrom").Present():
			v.from[name] = true
		case value.Unknown() && strings.Contains(value.Text(), name):
			v.placeholder[name] = true
		default:
			v.plain[name] = true
		}
	}
	return v
}

func (v variables) declared(name string) bool { return v.plain[name] || v.from[name] }

// provided are variables that every container has.
func provided(name string) bool {
	switch name {
	case "HOSTNAME", "HOME", "PATH", "KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT":
		return true
	}
	return false
}

// requestLiterals looks at the fields of a handler that is no command. Only names of the container's own variables count: other
// placeholders are filled in before the manifest is applied.
func requestLiterals(container, h loader.Node) []Literal {
	fields := []loader.Node{h.Get("path"), h.Get("host"), h.Get("service")}
	for _, header := range h.Get("httpHeaders").Items() {
		fields = append(fields, header.Get("value"))
	}
	var out []Literal
	for _, f := range fields {
		text := f.Text()
		if !strings.Contains(text, "$") {
			continue
		}
		v := newVariables(container)
		for _, ref := range references(text) {
			if v.declared(ref.name) && ref.form != formBraces {
				out = append(out, Literal{Path: f.Path(), Kind: "request", Text: ref.text, Name: ref.name, EnvFrom: v.envFrom, Certain: true})
				break
			}
		}
	}
	return out
}

// commandReader finds the literals of one command.
type commandReader struct {
	variables
	command []string
	path    Path
	shell   bool
	program string
	found   []Literal
}

func (r *commandReader) read() {
	if !r.shell && r.wholeLine() {
		r.add(0, Literal{Kind: "program", Text: r.command[0], Certain: true})
		return
	}
	for i, word := range r.command {
		if r.operator(i, word) {
			r.add(i, Literal{Kind: "operator", Text: word, Certain: true})
			return // the rest is the rest of the same mistake
		}
		for _, ref := range references(word) {
			r.reference(i, word, ref)
		}
	}
}

func (r *commandReader) add(i int, l Literal) {
	l.Path, l.Shell, l.EnvFrom = r.path.Child(i), r.shell, r.envFrom
	for _, other := range r.found {
		if other.Text == l.Text && other.Kind == l.Kind {
			return
		}
	}
	r.found = append(r.found, l)
}

// wholeLine reports whether the first word is a command line: no program has a name with options in it.
func (r *commandReader) wholeLine() bool {
	first := strings.TrimSpace(r.command[0])
	fields := strings.Fields(first)
	return len(fields) > 1 && len(r.command) == 1 && !templated(fields[0])
}

// operator reports whether word is shell syntax by itself, where no shell reads it and the program has no use for it.
func (r *commandReader) operator(i int, word string) bool {
	if r.shell || i == 0 || slices.ContainsFunc(r.command[:i], takesProgram) {
		return false
	}
	switch r.program {
	case "test", "[", "expr": // these compare with | < > & and ;
		return joins(word)
	case "find":
		return joins(word) || redirects(word)
	}
	if ownLanguage(r.program) {
		return false
	}
	switch word {
	case "|", "<", ">":
		return true
	case ";", "&":
		return !slices.ContainsFunc(r.command[:i], func(w string) bool { return strings.HasPrefix(w, "-exec") || strings.HasPrefix(w, "-ok") })
	}
	return joins(word) || redirects(word)
}

func joins(word string) bool { return word == "||" || word == "&&" }

func redirects(word string) bool {
	switch word {
	case ">>", "2>&1", "2>", "&>", ">&2", "1>&2":
		return true
	}
	for _, start := range []string{">/", "2>/", "1>/", "&>/", ">>/", ">&/"} {
		if strings.HasPrefix(word, start) {
			return true
		}
	}
	return false
}

// reference judges one $X, ${X} or $(X) in word i.
func (r *commandReader) reference(i int, word string, ref reference) {
	l := Literal{Text: ref.text, Name: ref.name}
	switch {
	case r.placeholder[ref.name]:
	case ref.form == formParens:
		r.parens(i, l)
	case r.shell || ownLanguage(r.program) || slices.ContainsFunc(r.command[:i], takesProgram):
	case r.declared(ref.name) || ref.form == formPlain && provided(ref.name):
		l.Kind, l.Certain = "variable", true
		r.add(i, l)
	case ref.form == formPlain && envName(ref.name) && standsApart(word, ref):
		l.Kind = "variable"
		l.Certain = r.envFrom
		r.add(i, l)
	}
}

// standsApart tells "-p$DB_PASSWORD" and "--addr=:$PORT" from a dollar inside a password.
func standsApart(word string, ref reference) bool {
	if ref.from == 0 || strings.Contains(ref.name, "_") {
		return true
	}
	return strings.ContainsRune(" =:/@,.-+", rune(word[ref.from-1]))
}

func (r *commandReader) parens(i int, l Literal) {
	switch {
	case r.plain[l.Name]: // the kubelet expands it
	case r.from[l.Name]:
		l.Kind, l.Certain = "empty", true
		r.add(i, l)
	case envName(l.Name):
		l.Kind, l.Certain = "unexpanded", r.envFrom || provided(l.Name)
		r.add(i, l)
	case !r.shell && !ownLanguage(r.program) && !slices.ContainsFunc(r.command[:i], takesProgram) && l.Name != "":
		l.Kind, l.Certain = "substitution", true
		r.add(i, l)
	}
}

// envName reports whether name is spelt as environment variables are.
func envName(name string) bool {
	return len(name) >= 3 && name[0] >= 'A' && name[0] <= 'Z' && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// ownLanguage knows programs whose arguments have a meaning for $, | or > of their own.
func ownLanguage(program string) bool {
	if strings.HasPrefix(program, "python") || strings.HasPrefix(program, "php") {
		return true
	}
	switch program {
	case "awk", "gawk", "mawk", "nawk", "sed", "perl", "ruby", "node", "nodejs", "deno", "bun", "jq", "yq", "lua", "expr", "[[",
		"mongo", "mongosh", "envsubst", "expect", "groovy", "pwsh", "powershell", "find", "Rscript", "osascript", "tclsh", "cmd", "cmd.exe",
		"powershell.exe", "pwsh.exe", "kubectl", "dockerize":
		return true
	}
	return false
}

// takesProgram knows words after which another program's text may follow.
func takesProgram(word string) bool {
	switch base := path.Base(word); base {
	case "su", "runuser", "ssh", "eval", "-S", "--split-string", "awk", "perl", "python", "python3", "ruby", "node", "php", "jq", "sed", "xargs",
		"nsenter", "rails", "manage.py":
		return true
	}
	return false
}

func isShell(name string) bool {
	switch name {
	case "sh", "bash", "ash", "dash", "ksh", "mksh", "zsh", "rbash", "fish", "csh", "tcsh":
		return true
	}
	return false
}
