package rules

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/hclint/hclint/internal/facts"
)

// program is rules compiled together, with one query for each shape of subject that some of them judge.
type program struct {
	compiler *ast.Compiler
	queries  map[shape]query
	object   bool // a rule looks at input.object
}

// shape is what decides which rules a subject is asked about.
type shape struct {
	kind     string
	features facts.Features
}

// judges reports whether r has something to say about subjects of the shape.
func (r *Rule) judges(s shape) bool {
	return slices.Contains(r.Subjects, s.kind) && s.features.Has(r.Needs)
}

// query asks for the findings of all rules that judge one shape of subject: x is an array with one set for each of rules.
type query struct {
	body     ast.Body
	compiler ast.QueryCompiler
	rules    []Rule
}

// modules are parsed files by path.
type modules map[string]*ast.Module

// compile makes the programs that judge subjects of shapes by the enabled rules.
func (s *Set) compile(enabled []Rule, shapes []shape) ([]program, error) {
	var programs []program
	for i, src := range s.sources {
		var own []Rule
		for _, r := range enabled {
			if s.sourceOf(r.Name) == i && slices.ContainsFunc(shapes, r.judges) {
				own = append(own, r)
			}
		}
		for _, group := range src.groups(own) {
			p, err := s.build(i, group, shapes, !src.trusted)
			if err != nil {
				return nil, err
			}
			programs = append(programs, p)
		}
	}
	return programs, nil
}

// groups splits rules into those that compile together: all of a trusted tree; else those with the same subjects, since
// a compiler knows one schema of its input.
func (src *source) groups(rules []Rule) [][]Rule {
	if len(rules) == 0 {
		return nil
	}
	if src.trusted {
		return [][]Rule{rules}
	}
	var groups [][]Rule
	for _, r := range rules {
		i := slices.IndexFunc(groups, func(g []Rule) bool { return slices.Equal(g[0].Subjects, r.Subjects) })
		if i < 0 {
			groups = append(groups, []Rule{r})
			continue
		}
		groups[i] = append(groups[i], r)
	}
	return groups
}

// build compiles the group of rules of source i, with the libs of it and of the sources before it.
func (s *Set) build(i int, group []Rule, shapes []shape, full bool) (program, error) {
	mods, p := modules{}, program{queries: map[shape]query{}}
	src := s.sources[i]
	var users [][]byte
	for _, r := range group {
		name := src.files[r.Name]
		if err := mods.parse(name, src.text[name], full); err != nil {
			return program{}, err
		}
		if err := hasFindings(mods[name]); err != nil {
			return program{}, fmt.Errorf("policy: %s: %w", name, err)
		}
		users = append(users, src.text[name])
	}
	for _, from := range s.sources[:i+1] {
		for _, name := range from.libs {
			text := from.text[name]
			if !full && len(src.libs) == 1 {
				text = prune(text, users)
			}
			if err := mods.parse(name, text, full); err != nil {
				return program{}, err
			}
			users = append(users, text)
		}
	}
	p.object = slices.ContainsFunc(users, mentionsObject)
	if err := p.compile(mods, group, shapes, full); err != nil {
		return program{}, err
	}
	return p, nil
}

// compile compiles mods, and a query for each of shapes that the group judges.
func (p *program) compile(mods modules, group []Rule, shapes []shape, full bool) (err error) {
	p.compiler = fastCompiler()
	if full {
		if p.compiler, err = fullCompiler(group[0].Subjects); err != nil {
			return err
		}
	}
	if p.compiler.Compile(mods); p.compiler.Failed() {
		return fmt.Errorf("policy: %w", p.compiler.Errors)
	}
	for _, s := range shapes {
		if err := p.addQuery(s, group); err != nil {
			return err
		}
	}
	return nil
}

// parse adds a file. Without annotations its comments are left out: scanning them, METADATA above all, is a good part of
// parsing.
func (m modules) parse(name string, text []byte, annotations bool) error {
	if !annotations {
		text = withoutComments(text)
	}
	mod, err := ast.ParseModuleWithOpts(name, string(text), ast.ParserOptions{
		RegoVersion: ast.RegoV1, ProcessAnnotation: annotations,
	})
	if err != nil {
		return fmt.Errorf("policy: %w", err)
	}
	m[name] = mod
	return nil
}

// withoutComments blanks the lines that hold only a comment, so that the others keep their numbers. A raw string may hold
// lines that look like one: where there is any only the lines above the package go.
func withoutComments(text []byte) []byte {
	out, raw, begun := make([]byte, 0, len(text)), bytes.IndexByte(text, '`') >= 0, false
	for line := range bytes.Lines(text) {
		trimmed := bytes.TrimLeft(line, " \t")
		if len(trimmed) > 0 && trimmed[0] == '#' && (!raw || !begun) {
			out = append(out, '\n')
			continue
		}
		begun = begun || bytes.HasPrefix(line, []byte("package "))
		out = append(out, line...)
	}
	return out
}

// hasFindings makes sure that the query is defined: it asks for the partial set "findings" of every rule.
func hasFindings(m *ast.Module) error {
	for _, r := range m.Rules {
		if r.Head.Name == "findings" || r.Head.Ref().String() == "findings" {
			if r.Head.RuleKind() == ast.MultiValue {
				return nil
			}
			return errors.New(`"findings" is not a set: write findings contains … if …`)
		}
	}
	return errors.New(`no rule "findings contains … if …"`)
}

// mentionsObject reports whether a policy may read the raw object, which is dear to convert.
func mentionsObject(text []byte) bool {
	return bytes.Contains(text, []byte("input.object")) || bytes.Contains(text, []byte(`"object"`))
}

// addQuery compiles the query for one shape of subject, when a rule of the group judges it.
func (p *program) addQuery(of shape, group []Rule) error {
	var q query
	var sets []*ast.Term
	for _, r := range group {
		if !r.judges(of) {
			continue
		}
		q.rules = append(q.rules, r)
		sets = append(sets, ast.NewTerm(ast.Ref{
			ast.DefaultRootDocument,
			ast.StringTerm("policies"),
			ast.StringTerm(r.Topic),
			ast.StringTerm(strings.ReplaceAll(r.Name, "-", "_")),
			ast.StringTerm("findings"),
		}))
	}
	if len(sets) == 0 {
		return nil
	}
	var err error
	q.compiler = p.compiler.QueryCompiler()
	// Static references, unlike data.policies[t][r].findings, let the evaluator go straight to each rule.
	body := ast.NewBody(ast.Equality.Expr(ast.VarTerm("x"), ast.ArrayTerm(sets...)))
	if q.body, err = q.compiler.Compile(body); err != nil {
		return fmt.Errorf("query for subject %s: %w", of.kind, err)
	}
	p.queries[of] = q
	return nil
}

// fastCompiler skips the stages that only find mistakes and those that serve what shipped rules do not have: bodies out of
// order, template strings, print, with, rego.metadata. TestSkippedStagesChangeNothing compares what comes out.
func fastCompiler() *ast.Compiler {
	return ast.NewCompiler().WithCapabilities(capabilities()).WithSkipStages(
		ast.StageCheckUnusedImports,
		ast.StageCheckKeywordOverrides,
		ast.StageCheckDuplicateImports,
		ast.StageCheckVoidCalls,
		ast.StageRewriteTemplateStrings,
		ast.StageParseMetadataBlocks,
		ast.StageSetAnnotationSet,
		ast.StageRewriteRegoMetadataCalls,
		ast.StageRewritePrintCalls,
		ast.StageCheckRuleConflicts,
		ast.StageCheckUndefinedFuncs,
		ast.StageCheckSafetyRuleHeads,
		ast.StageCheckSafetyRuleBodies,
		ast.StageRewriteWithValues,
		ast.StageSetGraph,
		ast.StageRewriteTestRulesForTracing,
		ast.StageCheckRecursion,
		ast.StageCheckTypes,
		ast.StageCheckUnsafeBuiltins,
		ast.StageCheckDeprecatedBuiltins,
		ast.StageBuildComprehensionIndices,
		ast.StageBuildRequiredCapabilities,
	)
}

// fullCompiler runs every stage, strictly, with the schema of the facts about subjects, so that input.contianers does
// not compile.
func fullCompiler(subjects []string) (*ast.Compiler, error) {
	schema, err := inputSchema(subjects)
	if err != nil {
		return nil, err
	}
	schemas := ast.NewSchemaSet()
	schemas.Put(ast.SchemaRootRef, schema)
	return ast.NewCompiler().
		WithCapabilities(capabilities()).
		WithStrict(true).
		WithEnablePrintStatements(false).
		WithSchemas(schemas).
		WithUseTypeCheckAnnotations(true), nil
}

// capabilities are what a rule may call: nothing that depends on the network, the clock, randomness, the process or the
// place of the file, so that the same input gives the same findings everywhere.
func capabilities() *ast.Capabilities {
	c := ast.CapabilitiesForThisVersion()
	c.AllowNet = []string{} // no $ref of a schema is fetched
	c.Builtins = slices.DeleteFunc(c.Builtins, func(b *ast.Builtin) bool {
		if b.Nondeterministic {
			return true
		}
		switch b.Name {
		case "opa.runtime", "trace", "io.jwt.decode_verify", "providers.aws.sign_req", "rego.parse_module":
			return true
		}
		return strings.HasPrefix(b.Name, "net.lookup")
	})
	return c
}

// inputSchema is the JSON Schema of the input for rules about subjects, as the Rego compiler takes it.
func inputSchema(subjects []string) (any, error) {
	var all []any
	for _, kind := range subjects {
		schema, err := facts.Schema(kind)
		if err != nil {
			return nil, err
		}
		all = append(all, schema)
	}
	if len(all) == 1 {
		return all[0], nil
	}
	return map[string]any{"anyOf": all}, nil
}
