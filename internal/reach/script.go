package reach

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/hclint/hclint/loader"
)

// The largest script that is followed, and how many scripts one probe may start.
const (
	maxScript  = 128 << 10
	maxScripts = 48
)

// script is shell text with its place in the manifests.
type script struct {
	id   int
	name string // "/scripts/alive.sh", "" for text on a command line
	from string // "ConfigMap api-scripts"
	text string
	// node holds the text when exact; else at is the best place known.
	node   loader.Node
	exact  bool
	object *loader.Object
	at     loader.Span
	// entry is the call site that started it, or -1 when the probe did.
	entry int
	trap  bool // the text of a trap
	file  *syntax.File
	err   string // why it cannot be run
	// assigns lists where each variable gets a value, in source order.
	assigns map[string][]*syntax.Assign
	// calls are the sites of a program in another language, by offset.
	calls map[int]int
}

// site is a place in a script where a program is called or a file is opened.
type site struct {
	script   *script
	from, to int // byte offsets in the script's text
	words    []*syntax.Word
}

// step gives the source line of a site as a trace step.
func (w *world) step(id int) Step {
	s := w.sites[id]
	return Step{Object: s.script.object, Span: s.script.span(s.from, s.to), Text: s.script.line(s.from, s.to)}
}

func (s *script) span(from, to int) loader.Span {
	if s.exact {
		return s.node.At(from, to)
	}
	return s.at
}

// line is the text from offset from on: one line, cut when long.
func (s *script) line(from, to int) string {
	text := s.text[min(from, len(s.text)):min(max(from, to), len(s.text))]
	text = strings.ReplaceAll(text, "\\\n", " ")
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[:i] + " …"
	}
	text = redact(plain(strings.Join(strings.Fields(text), " ")))
	const longest = 120
	if r := []rune(text); len(r) > longest {
		text = string(r[:longest-1]) + "…"
	}
	return text
}

// parse reads the script's text and instruments it. Whatever it refuses is said in s.err.
func (w *world) parse(s *script) {
	text := maskTemplates(s.text)
	s.text = text
	if len(text) > maxScript {
		s.err = "the script is too long"
		return
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), s.name)
	if err != nil {
		s.err = "the shell text cannot be parsed"
		return
	}
	s.file = file
	s.assigns = map[string][]*syntax.Assign{}
	in := &instrument{world: w, script: s}
	in.file(file)
	if in.refused != "" {
		s.err = in.refused
	}
}

// newSite numbers a place of s.
func (w *world) newSite(s *script, from, to syntax.Pos, words []*syntax.Word) int {
	w.sites = append(w.sites, site{script: s, from: int(from.Offset()), to: int(to.Offset()), words: words})
	return len(w.sites) - 1
}

// load finds or parses the script with this text. A script on a command line takes its place from the probe's
// argument that holds it, or from the call site.
func (w *world) load(name, text string, f *textFile, site int) *script {
	return w.register(name, text, f, site, w.parse)
}

// loadForeign is load for a program in another language, which is not parsed.
func (w *world) loadForeign(name string, f *textFile, site int) *script {
	return w.register(name, f.text, f, site, func(*script) {})
}

func (w *world) register(name, text string, f *textFile, site int, parse func(*script)) *script {
	w.loading.Lock()
	defer w.loading.Unlock()
	key := name + "\x00" + text
	if f != nil {
		key = name + "\x00" + f.from
	}
	if s, ok := w.scripts[key]; ok {
		return s
	}
	s := &script{id: len(w.scripts), name: name, text: text, entry: site}
	switch {
	case f != nil:
		s.from, s.node, s.exact = f.from, f.node, f.exact
		s.object, s.at = f.node.Object(), f.node.ValueSpan()
	case site < 0:
		w.place(s)
	default:
		from := w.sites[site]
		s.object, s.at = from.script.object, from.script.span(from.from, from.to)
		// Text quoted in the outer script stands there word for word: its own positions are exact.
		if at := strings.Index(from.script.text[from.from:min(from.to, len(from.script.text))], text); at >= 0 && from.script.exact && text != "" {
			s.node, s.exact = from.script.node, false
			s.at = from.script.node.At(from.from+at, from.from+at+len(text))
		}
	}
	w.scripts[key] = s
	if len(w.scripts) > maxScripts {
		s.err = "too many scripts call each other"
		return s
	}
	parse(s)
	return s
}

func (w *world) siteAt(id int) site {
	w.loading.Lock()
	defer w.loading.Unlock()
	return w.sites[id]
}

// place gives a script of the probe's own command its position.
func (w *world) place(s *script) {
	for _, item := range w.pod.commandWords() {
		if item.Text() == s.text || maskTemplates(item.Text()) == s.text {
			s.node, s.exact, s.object, s.at = item, true, item.Object(), item.ValueSpan()
			return
		}
	}
	command := w.pod.commandNode()
	s.object, s.at = command.Object(), command.KeySpan()
}
