package reach

import (
	"strconv"

	"mvdan.cc/sh/v3/syntax"
)

// test rewrites a [[ ]] expression: file tests and comparisons of unknown values are decided by the run.
func (in *instrument) test(x syntax.TestExpr) syntax.TestExpr {
	switch t := x.(type) {
	case *syntax.ParenTest:
		t.X = in.test(t.X)
	case *syntax.UnaryTest:
		return in.unaryTest(t)
	case *syntax.BinaryTest:
		if t.Op == syntax.AndTest || t.Op == syntax.OrTest {
			t.X, t.Y = in.test(t.X), in.test(t.Y)
			return t
		}
		return in.binaryTest(t)
	}
	return x
}

func (in *instrument) unaryTest(t *syntax.UnaryTest) syntax.TestExpr {
	if t.Op == syntax.TsNot {
		t.X = in.test(t.X)
		return t
	}
	word, ok := t.X.(*syntax.Word)
	if ok && inList("-n -z", t.Op.String()) && (references(word) > 0 || hasSubst(word)) {
		return in.unlessPoisoned(t, t.Op.String(), word, litWord(""), t.Pos(), t.End())
	}
	if !ok || !fileTest(t.Op.String()) {
		return t
	}
	id := in.world.newSite(in.script, t.Pos(), t.End(), nil)
	return equalsOne(subst(callFileTest, litWord(strconv.Itoa(id)+mark), litWord(t.Op.String()), quoted(word)), "1")
}

func equalsOne(part syntax.WordPart, want string) syntax.TestExpr {
	w := &syntax.Word{Parts: []syntax.WordPart{&syntax.DblQuoted{Parts: []syntax.WordPart{part}}}}
	return &syntax.BinaryTest{Op: syntax.TsMatch, X: w, Y: &syntax.Word{Parts: []syntax.WordPart{&syntax.DblQuoted{Parts: []syntax.WordPart{&syntax.Lit{Value: want}}}}}}
}

func fileTest(op string) bool {
	switch op {
	case "-e", "-f", "-d", "-s", "-S", "-p", "-L", "-h", "-b", "-c", "-r", "-w", "-x", "-O", "-G", "-u", "-g", "-k", "-N", "-a":
		return true
	}
	return false
}

// binaryTest lets the run decide comparisons of unknown values.
func (in *instrument) binaryTest(t *syntax.BinaryTest) syntax.TestExpr {
	x, okX := t.X.(*syntax.Word)
	y, okY := t.Y.(*syntax.Word)
	if !okX || !okY || references(x)+references(y) == 0 && !hasSubst(x) && !hasSubst(y) {
		return t
	}
	return in.unlessPoisoned(t, t.Op.String(), x, y, t.Pos(), t.End())
}

// unlessPoisoned makes t into ("" == poisoned && t) || "1" == poisoned.
func (in *instrument) unlessPoisoned(t syntax.TestExpr, op string, x, y *syntax.Word, from, to syntax.Pos) syntax.TestExpr {
	id := in.world.newSite(in.script, from, to, nil)
	ask := func() syntax.WordPart {
		return subst(callPoisoned, litWord(strconv.Itoa(id)+mark), litWord(op), quoted(x), quoted(y))
	}
	clean := &syntax.BinaryTest{Op: syntax.AndTest, X: equalsOne(ask(), ""), Y: t}
	return &syntax.ParenTest{X: &syntax.BinaryTest{Op: syntax.OrTest, X: clean, Y: equalsOne(ask(), "1")}}
}
