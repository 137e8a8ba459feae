package reach

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Names of the variables that stand for what the interpreter does not know, or would take from this machine. They hold a
// control character, so no script can set them.
const (
	varSource  = mark + "source:" // followed by the path that it expands to
	varSeconds = mark + "seconds" // the seconds of the run
	varPipe    = mark + "pipe:"   // followed by a number: the status of that member of the last pipeline
	varProcess = mark + "process" // the shell's process number
)

// param gives variables that nothing sets an unknown value instead of an empty one, and answers those of the shell itself.
func (in *instrument) param(p *syntax.ParamExp) {
	if p.Param == nil || in.shellParam(p) {
		return
	}
	variable := p.Param.Value
	if p.Exp != nil && (p.Exp.Op == syntax.ErrorUnset || p.Exp.Op == syntax.ErrorUnsetOrNull) && name(variable) {
		// ${X:?} says that X is set where the check works.
		p.Exp = &syntax.Expansion{Op: syntax.DefaultUnset, Word: litWord(unknown)}
		return
	}
	if simple(p) && name(variable) && (p.Excl || configured(variable)) {
		p.Exp = &syntax.Expansion{Op: syntax.DefaultUnset, Word: litWord(unknown)}
	}
}

// configured reports names of variables that come from outside where they are used: from the container's configuration or its image.
func configured(name string) bool { return upper(name) && !shellVariable(name) && !optional(name) }

// shellParam rewrites the parameters that the shell sets itself.
func (in *instrument) shellParam(p *syntax.ParamExp) bool {
	var to string
	switch p.Param.Value {
	case "!":
		to = "#"
	case "$", "BASHPID", "PPID":
		to = varProcess
	case "SECONDS":
		to = varSeconds
	case "RANDOM", "SRANDOM", "EPOCHSECONDS", "EPOCHREALTIME":
		to = varSource + unknown
	case "BASH_SOURCE":
		to = varSource + in.source(p)
	case "PIPESTATUS":
		to = pipeStatus(p)
	default:
		return strings.HasPrefix(p.Param.Value, mark)
	}
	if p.Param.Value == "!" && !simple(p) {
		return true
	}
	p.Param = &syntax.Lit{Value: to, ValuePos: p.Param.ValuePos, ValueEnd: p.Param.ValueEnd}
	p.Index = nil
	return true
}

// pipeStatus is what stands for ${PIPESTATUS[n]}.
func pipeStatus(p *syntax.ParamExp) string {
	w, ok := p.Index.(*syntax.Word)
	switch {
	case p.Index == nil:
		return varPipe + "0"
	case ok && digits(w.Lit()):
		return varPipe + w.Lit()
	}
	return varSource + unknown
}

// source is the file that ${BASH_SOURCE} names: the one whose text is running; further elements are its callers.
func (in *instrument) source(p *syntax.ParamExp) string {
	if w, ok := p.Index.(*syntax.Word); p.Index != nil && (!ok || w.Lit() != "0") {
		return unknown
	}
	for s := in.script; ; s = in.world.sites[s.entry].script {
		if s.name != "" || s.entry < 0 {
			return s.name
		}
	}
}

// simple reports $NAME and ${NAME}, and the indirect ${!NAME}.
func simple(p *syntax.ParamExp) bool {
	asked := p.Exp != nil || p.Slice != nil || p.Repl != nil || p.Index != nil
	return !asked && !p.Length && !p.Width && !p.IsSet && p.Names == 0
}

// optional reports names of variables that hold extra options: where nothing sets them, they are empty.
func optional(name string) bool {
	for _, suffix := range [...]string{"OPTIONS", "OPTS", "ARGS", "FLAGS", "PARAMS", "EXTRA"} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}
