package loader

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"slices"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// File is one file that was read: its objects, and what was wrong with it.
type File struct {
	Name     string // as shown to people: slash-separated, relative when the argument was
	Source   []byte
	Objects  []*Object
	Problems []Problem

	lines     lineTable // as editors count them
	yamlLines lineTable // as the YAML parser counts them
	ascii     bool
	around    Node    // of a text inside another file: the node that holds it
	rows      []int32 // of such a text in a literal block: where its lines start in the file around,
	rowsEnd   int     // and where the block ends
}

// Problem is something in the input that stopped (part of) it from being checked: a finding, not an error.
type Problem struct {
	Span    Span
	Message string // lower case, no full stop
	// Lost: the document, or the file, could not be read at all. Without it only a part is in doubt.
	Lost bool
	// Duplicate: a key is given twice, and the last one counts.
	Duplicate bool
}

// Skip names a file (or a part of one, Line > 0) that was not checked, and why.
type Skip struct {
	File   string
	Line   int
	Reason string
}

// Parse reads one file's bytes. It never fails: what is wrong with src is in File.Problems, what is nothing to check in
// the skips: one for the whole file when no part of it is checked, else one for each such part.
func Parse(name string, src []byte, opt Options) (*File, []Skip) {
	return parse(name, src, roleOf(name), opt)
}

func parse(name string, src []byte, role role, opt Options) (*File, []Skip) {
	f := &File{Name: name, Source: src}
	if len(src) > math.MaxInt32 {
		return f, []Skip{{File: name, Reason: reasonTooLarge}}
	}
	p := parser{file: f, opt: opt, role: role}
	if decoded, ok := decodeUTF16(src); ok {
		p.utf16(decoded)
		return f, p.skips
	}
	if reason := role.reason(src); reason != "" {
		return f, []Skip{{File: name, Reason: reason}}
	}
	if role == unitFile {
		p.unit()
		return f, p.skips
	}
	docs := split(src)
	for i := range docs {
		p.document(docs[i], docs)
	}
	p.merge()
	return f, p.skips
}

// parser reads the documents of one file.
type parser struct {
	file  *File
	opt   Options
	role  role
	skips []Skip // with their lines

	countedTo, breaks int // line breaks before an offset
}

// merge makes one skip of several when nothing in the file is checked.
func (p *parser) merge() {
	f := p.file
	if len(p.skips) == 0 || len(f.Objects) > 0 || len(f.Problems) > 0 {
		return
	}
	p.skips = p.skips[:1]
	p.skips[0].Line = 0
}

func (p *parser) skip(at int, reason string) {
	src := p.file.Source
	if at < p.countedTo {
		p.countedTo, p.breaks = 0, 0
	}
	p.breaks += lineBreaks(src[p.countedTo:at])
	p.countedTo = at
	p.skips = append(p.skips, Skip{File: p.file.Name, Line: p.breaks + 1, Reason: reason})
}

// document reads one document. all is used to find byte order marks when positions are first needed.
func (p *parser) document(d document, all []document) {
	h := peek(d, p.opt.Keys)
	switch p.plan(h, d) {
	case skipDocument:
		p.skip(h.from, p.reason(h))
	case countDocument:
		p.file.locate(all)
		p.count(h, d)
	case parseDocument:
		p.file.locate(all)
		p.decode(h, d)
	}
}

func (p *parser) decode(h head, d document) {
	b := &treeBuilder{file: p.file, doc: d, template: -1}
	root, err := b.decode()
	switch {
	case err != nil:
		p.broken(h, b, err)
	case b.stop != nil && p.relevant(h, d.text):
		p.file.Problems = append(p.file.Problems, *b.stop)
	case b.stop != nil:
		p.skip(h.from, reasonOther)
	case b.template >= 0:
		p.skip(h.from, reasonTemplate)
	default:
		before := len(p.file.Objects)
		p.objects(h, root)
		if len(p.file.Objects) > before {
			slices.SortStableFunc(b.problems, func(x, y Problem) int { return cmp.Compare(x.Span.Start.Offset, y.Span.Start.Offset) })
			p.file.Problems = append(p.file.Problems, b.problems...)
		}
	}
}

// plan is what to do with a document.
type plan int

const (
	parseDocument plan = iota
	skipDocument
	countDocument // an object that nobody wants decoded
)

func (p *parser) plan(h head, d document) plan {
	switch {
	case p.role == kustomizeFile, h.shape == template, h.shape == otherRoot:
		return skipDocument
	case h.shape == flowMap, h.shape == unsure:
		if p.mentions(d.text) {
			return parseDocument
		}
		return skipDocument
	case h.apiVersion != "" && h.kind != "":
		return p.planObject(h)
	case p.hasOurKeys(h), h.services:
		return parseDocument
	default:
		return skipDocument
	}
}

func (p *parser) planObject(h head) plan {
	switch {
	case isKustomize(h.apiVersion):
		return skipDocument
	case h.listed || p.opt.Keep == nil || p.opt.Keep(h.apiVersion, h.kind):
		return parseDocument
	default:
		return countDocument
	}
}

// mentions reports whether text has the words that make a document relevant. It may be wrong, never by saying no.
func (p *parser) mentions(text []byte) bool {
	return bytes.Contains(text, []byte("apiVersion")) || bytes.Contains(text, []byte("kind")) ||
		bytes.Contains(text, []byte("services")) || p.mentionsKey(text)
}

func (p *parser) mentionsKey(text []byte) bool {
	for _, key := range p.opt.Keys {
		if bytes.Contains(text, []byte(key)) {
			return true
		}
	}
	return false
}

// hasOurKeys reports whether a document in block style has a top-level key that makes it relevant.
func (p *parser) hasOurKeys(h head) bool {
	return h.hasAPIVersion || h.hasKind || h.wanted
}

// count adds an object that is not decoded.
func (p *parser) count(h head, d document) {
	f := p.file
	f.Objects = append(f.Objects, &Object{
		File: f, APIVersion: h.apiVersion, Kind: h.kind,
		from: h.from, to: d.lo + len(bytes.TrimRight(f.Source[d.lo:d.hi], " \t\r\n")),
		kindAt: h.kindAt, kindTo: h.kindTo,
	})
}

// locate builds the tables that positions are made from.
func (f *File) locate(docs []document) {
	if f.lines != nil {
		return
	}
	var boms []int
	for _, d := range docs {
		if d.bom >= 0 {
			boms = append(boms, d.bom)
		}
	}
	f.lines = newLineTable(f.Source, boms, false)
	f.yamlLines = f.lines
	if hasWideBreak(f.Source) {
		f.yamlLines = newLineTable(f.Source, boms, true)
	}
	f.ascii = isASCII(f.Source)
}

// lineBreaks counts the line breaks in text that starts a line.
func lineBreaks(text []byte) int {
	n := bytes.Count(text, []byte{'\n'})
	if hasLoneCR(text) {
		n += bytes.Count(text, []byte{'\r'}) - bytes.Count(text, []byte("\r\n"))
	}
	return n
}

func isASCII(src []byte) bool {
	for _, c := range src {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// decode parses the builder's document into nodes. There are none when b.stop says why.
func (b *treeBuilder) decode() (*node, error) {
	b.line = b.file.yamlLines.line(b.doc.start())
	if b.doc.text[contentStart(b.doc.text)] == '{' {
		if masked := maskSurrogates(b.doc.text); masked != nil {
			b.doc.text, b.doc.masked = masked, true
		}
	}
	if b.checkNodes(maxNodes); b.stop != nil {
		return nil, nil //nolint:nilnil // b.stop says why there is no tree
	}
	text := maskVersion(b.doc.text)
	if text[0] == '{' {
		// Without a marker the parser keeps every token of the line, for all of it could be a key.
		text = append([]byte(flowMarker), text...)
		b.shift = len(flowMarker)
	}
	var y yaml.Node
	err := yaml.Load(text, &y, yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthValue(maxDepth))))
	if err != nil {
		return nil, err
	}
	if y.Kind != yaml.DocumentNode || len(y.Content) != 1 {
		return nil, errors.New("not a document")
	}
	return b.build(y.Content[0]), nil
}

const flowMarker = "--- "

// maskVersion makes a comment of "%YAML 1.2", which the parser refuses although nothing it reads differs from 1.1 here.
func maskVersion(text []byte) []byte {
	i := bytes.Index(text[:contentStart(text)], []byte("%YAML 1."))
	if i < 0 || i > 0 && text[i-1] != '\n' && text[i-1] != '\r' {
		return text
	}
	text = bytes.Clone(text)
	text[i] = '#'
	return text
}
