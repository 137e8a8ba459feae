package rules

import (
	"os"
	"strconv"
	"testing"

	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/loader"
)

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := LoadTrusted(os.DirFS(policyDir)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCompile compiles what a run over one kind of subject needs as shipped rules compile, and what one over workloads
// needs as people's own rules do.
func BenchmarkCompile(b *testing.B) {
	full, err := Load(os.DirFS(policyDir))
	if err != nil {
		b.Fatal(err)
	}
	for _, bc := range []struct {
		name, kind string
		set        *Set
	}{
		{"workload", facts.SubjectWorkload, shipped(b)},
		{"restart_policy", facts.SubjectRestartPolicy, shipped(b)},
		{"pdb", facts.SubjectPDB, shipped(b)},
		{"full", facts.SubjectWorkload, full},
	} {
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bc.set.compile(bc.set.rules, []shape{{bc.kind, ^facts.Features(0)}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCheck judges 1,000 workloads of two containers with three probes each; compiling is a part of it.
func BenchmarkCheck(b *testing.B) {
	set := shipped(b)
	var subjects []facts.Subject
	for i := range 1000 {
		subjects = append(subjects, facts.Subject{
			Kind: facts.SubjectWorkload, File: &loader.File{Name: "a.yaml"}, Input: sampleWorkload("api-" + strconv.Itoa(i)),
		})
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := set.Check(b.Context(), nil, subjects, Options{NoInlineIgnores: true}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkConvert(b *testing.B) {
	input := sampleWorkload("api")
	c := converter{}
	if err := c.add(input); err != nil {
		b.Fatal(err)
	}
	known := words{}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.term(known, input, nil); err != nil {
			b.Fatal(err)
		}
	}
}
