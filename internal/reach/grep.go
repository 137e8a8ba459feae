package reach

import (
	"regexp"
	"strconv"
	"strings"
)

// grep searches known text by its pattern; in unknown text the healthy outcome is a match (or none, for -v).
func (w *world) grep(p *process, program string, args []string, site int) int {
	g := parseGrep(program, args)
	var all strings.Builder
	if len(g.files) == 0 {
		all.WriteString(p.input())
	}
	for _, f := range g.files {
		t, ok := w.readFile(p, f, site)
		if !ok {
			return 2
		}
		all.WriteString(t)
	}
	text := all.String()
	re := g.compile()
	if tainted(text) || re == nil || anyTainted(g.patterns) {
		return w.grepUnknown(p, g, text, site)
	}
	count, out := g.search(re, text)
	switch {
	case g.quiet:
	case g.count:
		p.print(strconv.Itoa(count) + "\n")
	default:
		p.print(out)
	}
	if count == 0 {
		return 1
	}
	return 0
}

// search gives the number of matching lines and what is printed of them.
func (g *grep) search(re *regexp.Regexp, text string) (int, string) {
	count := 0
	var out strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if re.MatchString(line) == g.invert {
			continue
		}
		count++
		if g.only {
			line = strings.Join(re.FindAllString(line, -1), "\n")
		}
		out.WriteString(line + "\n")
	}
	return count, out.String()
}

func (w *world) grepUnknown(p *process, g grep, text string, site int) int {
	if strings.TrimSpace(text) == "" {
		if g.count && !g.quiet {
			p.print("0\n")
		}
		return 1
	}
	if !w.choose(site, strings.Contains(text, unknown), true) {
		if g.count {
			p.print("0\n")
		}
		return 1
	}
	if !g.quiet {
		p.print(derived(text))
	}
	return 0
}

// grep is a parsed command line of grep.
type grep struct {
	patterns, files             []string
	invert, quiet, count, only  bool
	fixed, extended, fold, word bool
	line                        bool
}

func parseGrep(program string, args []string) grep {
	g := grep{fixed: program == "fgrep", extended: program == "egrep" || program == "rg"}
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			g.files = append(g.files, args[i+1:]...)
			i = len(args)
		case inList("-e --regexp -m -A -B -C", a) && i+1 < len(args):
			i++
			if a == "-e" || a == "--regexp" {
				g.patterns = append(g.patterns, args[i])
			}
		default:
			g.argument(a)
		}
	}
	if len(g.patterns) == 0 && len(g.files) > 0 {
		g.patterns, g.files = g.files[:1], g.files[1:]
	}
	return g
}

func (g *grep) argument(a string) {
	switch {
	case strings.HasPrefix(a, "--"):
		g.long(a)
	case strings.HasPrefix(a, "-") && len(a) > 1:
		g.letters(a[1:])
	default:
		g.files = append(g.files, a)
	}
}

func (g *grep) long(a string) {
	switch a {
	case "--quiet", "--silent":
		g.quiet = true
	case "--count":
		g.count = true
	case "--invert-match":
		g.invert = true
	case "--ignore-case":
		g.fold = true
	case "--fixed-strings":
		g.fixed = true
	case "--extended-regexp", "--perl-regexp":
		g.extended = true
	case "--only-matching":
		g.only = true
	}
}

func (g *grep) letters(s string) {
	for _, l := range s {
		switch l {
		case 'q':
			g.quiet = true
		case 'c':
			g.count = true
		case 'v':
			g.invert = true
		case 'i':
			g.fold = true
		case 'F':
			g.fixed = true
		case 'E', 'P':
			g.extended = true
		case 'o':
			g.only = true
		case 'w':
			g.word = true
		case 'x':
			g.line = true
		}
	}
}

// compile makes one expression of the patterns; nil when they are beyond RE2.
func (g *grep) compile() *regexp.Regexp {
	var parts []string
	for _, p := range g.patterns {
		for line := range strings.SplitSeq(p, "\n") {
			switch {
			case g.fixed:
				line = regexp.QuoteMeta(line)
			case !g.extended:
				line = basic(line)
			}
			if g.word {
				line = `\b(?:` + line + `)\b`
			}
			if g.line {
				line = `^(?:` + line + `)$`
			}
			parts = append(parts, line)
		}
	}
	text := strings.Join(parts, "|")
	if len(text) > 1000 {
		return nil
	}
	if g.fold {
		text = "(?i)" + text
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil
	}
	return re
}

// basic turns a POSIX basic expression into an extended one: \( and ( change places, as do \{ \} \| \+ \?.
func basic(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && strings.IndexByte("(){}|+?", s[i+1]) >= 0:
			i++
			b.WriteByte(s[i])
		case strings.IndexByte("(){}|+?", c) >= 0:
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '*' && (i == 0 || s[i-1] == '^'):
			b.WriteString(`\*`)
		case c == '\\' && i+1 < len(s):
			b.WriteByte(c)
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
