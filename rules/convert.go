package rules

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/hclint/hclint/loader"
)

// converter turns facts into Rego values: structs into objects by their JSON tags, nil slices into [] and nil maps into
// {}, so that a rule never meets null. What a type needs is worked out once; after that a converter is read-only and
// many goroutines may use it.
type converter map[reflect.Type]convert

// convert makes the term for a value of one type.
type convert func(known words, v reflect.Value) *ast.Term

// words are the terms of strings that one goroutine has converted before: the words of manifests are few and come again and
// again. Terms are never changed once they are in an input.
type words map[string]*ast.Term

// maxWords bounds words, and with it what a run over very many objects holds.
const maxWords = 4096

func (w words) term(s string) *ast.Term {
	if t, ok := w[s]; ok {
		return t
	}
	t := ast.InternedTerm(s)
	if len(w) < maxWords && len(s) <= 64 {
		w[strings.Clone(s)] = t
	}
	return t
}

// add prepares for the type of sample, a struct or a pointer to one.
func (c converter) add(sample any) error {
	if sample == nil {
		return errors.New("subject without input")
	}
	_, err := c.plan(reflect.TypeOf(sample))
	return err
}

// term converts input, whose type add has seen. The plain value of raw, unless nil, is added as "object".
func (c converter) term(known words, input any, raw *loader.Object) (*ast.Term, error) {
	v := reflect.ValueOf(input)
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, fmt.Errorf("subject without input: nil %T", input)
	}
	term := c[v.Type()](known, v)
	if raw == nil {
		return term, nil
	}
	value, err := ast.InterfaceToValue(raw.Root().Plain())
	if err != nil {
		return nil, fmt.Errorf("object: %w", err)
	}
	obj, ok := term.Value.(ast.Object)
	if !ok {
		return nil, fmt.Errorf("input %T is no struct", input)
	}
	whole, _ := obj.Merge(ast.NewObject([2]*ast.Term{ast.InternedTerm("object"), ast.NewTerm(value)}))
	return ast.NewTerm(whole), nil
}

// plan returns how a type is converted.
func (c converter) plan(t reflect.Type) (convert, error) {
	if f, ok := c[t]; ok {
		return f, nil
	}
	f, err := c.newPlan(t)
	if err != nil {
		return nil, err
	}
	c[t] = f
	return f, nil
}

func (c converter) newPlan(t reflect.Type) (convert, error) {
	switch t.Kind() {
	case reflect.Bool:
		return func(_ words, v reflect.Value) *ast.Term { return ast.InternedTerm(v.Bool()) }, nil
	case reflect.String:
		return func(known words, v reflect.Value) *ast.Term { return known.term(v.String()) }, nil
	case reflect.Int, reflect.Int32, reflect.Int64:
		return func(_ words, v reflect.Value) *ast.Term { return ast.InternedTerm(int(v.Int())) }, nil
	case reflect.Float64:
		return func(_ words, v reflect.Value) *ast.Term { return ast.FloatNumberTerm(v.Float()) }, nil
	case reflect.Interface: // the steps of a path, and raw values
		return convertAny, nil
	case reflect.Pointer:
		elem, err := c.plan(t.Elem())
		return func(known words, v reflect.Value) *ast.Term { return elem(known, v.Elem()) }, err
	case reflect.Slice:
		return c.planSlice(t)
	case reflect.Map:
		return c.planMap(t)
	case reflect.Struct:
		return c.planStruct(t)
	default:
		return nil, fmt.Errorf("facts hold a %s, which has no Rego form", t)
	}
}

func convertAny(known words, v reflect.Value) *ast.Term {
	switch x := v.Interface().(type) {
	case string:
		return known.term(x)
	case int:
		return ast.InternedTerm(x)
	default:
		value, err := ast.InterfaceToValue(x)
		if err != nil { // only channels, functions and such: no fact has them
			return ast.NullTerm()
		}
		return ast.NewTerm(value)
	}
}

func (c converter) planSlice(t reflect.Type) (convert, error) {
	elem, err := c.plan(t.Elem())
	return func(known words, v reflect.Value) *ast.Term {
		n := v.Len()
		if n == 0 {
			return ast.InternedEmptyArray
		}
		terms := make([]*ast.Term, n)
		for i := range n {
			terms[i] = elem(known, v.Index(i))
		}
		return ast.ArrayTerm(terms...)
	}, err
}

func (c converter) planMap(t reflect.Type) (convert, error) {
	if t.Key().Kind() != reflect.String {
		return nil, fmt.Errorf("facts hold a %s, whose keys are no strings", t)
	}
	elem, err := c.plan(t.Elem())
	return func(known words, v reflect.Value) *ast.Term {
		if v.Len() == 0 {
			return ast.InternedEmptyObject
		}
		items := make([][2]*ast.Term, 0, v.Len())
		for it := v.MapRange(); it.Next(); {
			items = append(items, [2]*ast.Term{known.term(it.Key().String()), elem(known, it.Value())})
		}
		// OPA sorts keys only when it must; a fixed order keeps what it prints the same.
		slices.SortFunc(items, func(a, b [2]*ast.Term) int { return a[0].Value.Compare(b[0].Value) })
		return ast.ObjectTerm(items...)
	}, err
}

func (c converter) planStruct(t reflect.Type) (convert, error) {
	type field struct {
		index int
		key   *ast.Term
		value convert
	}
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			return nil, fmt.Errorf("%s.%s has no json tag", t, f.Name)
		}
		value, err := c.plan(f.Type)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", t, f.Name, err)
		}
		fields = append(fields, field{i, ast.InternedTerm(name), value})
	}
	convertFields := func(known words, v reflect.Value) *ast.Term {
		var room [32][2]*ast.Term // on the stack: no struct of facts has more fields
		items := room[:0]
		for _, f := range fields {
			items = append(items, [2]*ast.Term{f.key, f.value(known, v.Field(f.index))})
		}
		return ast.ObjectTerm(items...)
	}
	// Many a struct is not filled in (the http of an exec probe): all of these share one term.
	zero := convertFields(words{}, reflect.Zero(t))
	return func(known words, v reflect.Value) *ast.Term {
		if v.IsZero() {
			return zero
		}
		return convertFields(known, v)
	}, nil
}
