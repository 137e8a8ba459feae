package appconfig

import (
	"errors"
	"strings"
)

// directive is a directive of an nginx configuration: its words, and what stands in its braces.
type directive struct {
	words    []string
	block    []directive
	braces   bool
	file     Setting
	from, to int // of its words, in the text of file
}

func (d directive) name() string { return d.words[0] }

// arg is word i after the name; "" when there is none.
func (d directive) arg(i int) string {
	if i+1 < len(d.words) {
		return d.words[i+1]
	}
	return ""
}

// has reports whether a word stands after the name.
func (d directive) has(word string) bool {
	for _, w := range d.words[1:] {
		if w == word {
			return true
		}
	}
	return false
}

func (d directive) step(text string) Step {
	return Step{Setting: d.file, From: d.from, To: d.to, Text: text}
}

// Bounds of what is read.
const (
	maxNginxDepth = 16
	maxNginxFile  = 512 << 10
)

var errNginx = errors.New("the nginx configuration cannot be read")

// parseNginx reads a file as nginx does (src/core/ngx_conf_file.c, ngx_conf_read_token): words separated by blanks, quotes around
// a word, a backslash before a character, "#" to the end of the line, ";" after a simple directive and braces around a block.
func parseNginx(f Setting) ([]directive, error) {
	if len(f.Value) > maxNginxFile {
		return nil, errNginx
	}
	p := &nginxParser{file: f, text: f.Value}
	list, err := p.block(0)
	if err == nil && p.at < len(p.text) {
		err = errNginx
	}
	return list, err
}

type nginxParser struct {
	file Setting
	text string
	at   int
}

// block reads directives up to a closing brace or the end.
func (p *nginxParser) block(depth int) ([]directive, error) {
	if depth > maxNginxDepth {
		return nil, errNginx
	}
	var list []directive
	for {
		d, ended, err := p.directive(depth)
		if err != nil {
			return nil, err
		}
		if ended {
			return list, nil
		}
		list = append(list, d)
	}
}

// directive reads one directive with its block. ended is true at the end of the surrounding block.
func (p *nginxParser) directive(depth int) (d directive, ended bool, err error) {
	d.file = p.file
	for {
		p.blanks()
		if p.at >= len(p.text) {
			return d, true, complete(depth == 0 && len(d.words) == 0)
		}
		switch p.text[p.at] {
		case '}':
			return d, true, complete(depth > 0 && len(d.words) == 0)
		case ';', '{':
			if len(d.words) == 0 {
				return d, false, errNginx
			}
			if p.text[p.at] == '{' {
				err = p.braces(&d, depth)
			}
			p.at++
			return d, false, err
		}
		if len(d.words) == 0 {
			d.from = p.at
		}
		word, err := p.word()
		if err != nil {
			return d, false, err
		}
		d.words = append(d.words, word)
		d.to = p.at
	}
}

func complete(ok bool) error {
	if !ok {
		return errNginx
	}
	return nil
}

// braces reads the block of d and leaves p at its closing brace. Lua and the like are skipped.
func (p *nginxParser) braces(d *directive, depth int) error {
	p.at++
	d.braces = true
	if strings.HasSuffix(d.name(), "_by_lua_block") {
		open := 1
		for ; p.at < len(p.text); p.at++ {
			switch p.text[p.at] {
			case '{':
				open++
			case '}':
				open--
			}
			if open == 0 {
				return nil
			}
		}
		return errNginx
	}
	var err error
	if d.block, err = p.block(depth + 1); err != nil {
		return err
	}
	if p.at >= len(p.text) {
		return errNginx
	}
	return nil
}

func (p *nginxParser) blanks() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		case '#':
			end := strings.IndexByte(p.text[p.at:], '\n')
			if end < 0 {
				p.at = len(p.text)
				return
			}
			p.at += end
		default:
			return
		}
	}
}

func (p *nginxParser) word() (string, error) {
	if quote := p.text[p.at]; quote == '"' || quote == '\'' {
		p.at++
		return p.quoted(quote)
	}
	from := p.at
	for p.at < len(p.text) && !strings.ContainsRune(" \t\n\r;{", rune(p.text[p.at])) {
		switch {
		case p.text[p.at] == '\\' && p.at+1 < len(p.text):
			p.at += 2 // kept as it is: it matters in patterns
		case strings.HasPrefix(p.text[p.at:], "${"):
			end := strings.IndexByte(p.text[p.at:], '}')
			if end < 0 {
				return "", errNginx
			}
			p.at += end + 1
		default:
			p.at++
		}
	}
	return p.text[from:p.at], nil
}

func (p *nginxParser) quoted(quote byte) (string, error) {
	var b strings.Builder
	for p.at < len(p.text) {
		c := p.text[p.at]
		p.at++
		switch {
		case c == '\\' && p.at < len(p.text):
			if p.text[p.at] != quote {
				b.WriteByte(c)
			}
			b.WriteByte(p.text[p.at])
			p.at++
		case c == quote:
			return b.String(), nil
		default:
			b.WriteByte(c)
		}
	}
	return "", errNginx
}
