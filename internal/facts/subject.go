// Package facts prepares what a rule sees: Kubernetes' defaults filled in, timings computed, Services, budgets and
// autoscalers joined, probes followed to what they touch. Rules decide; facts only states.
package facts

import (
	"github.com/hclint/hclint/internal/reach"
	"github.com/hclint/hclint/loader"
)

// The kinds of subjects; a rule names the ones it judges in its metadata (custom.subjects).
const (
	SubjectWorkload      = "workload"
	SubjectPDB           = "pdb"
	SubjectRestartPolicy = "restart_policy"
	SubjectInput         = "input"
	SubjectSuppression   = "suppression"
)

// Subject is one thing that rules judge, evaluated on its own.
type Subject struct {
	Kind   string
	File   *loader.File
	Object *loader.Object // nil for an input problem or a suppression
	// Span is where a finding stands that names no path.
	Span loader.Span
	// Input becomes the Rego input: a pointer to the struct of the kind, such as *Workload or *PDB.
	Input any
	// Evidence holds the traces that facts refer to by index.
	Evidence [][]reach.Step
}

// Path leads into the subject's object; a rule extends it and gives it back.
type Path = loader.Path

// Input is the input for a subject of kind input: something that stopped a part of the input from being checked.
type Input struct {
	Subject string `json:"subject" jsonschema:"enum=input"`
	File    string `json:"file"`
	Message string `json:"message"`
	// Lost: a document or a file could not be read at all.
	Lost bool `json:"lost" jsonschema:"description=a document or a file could not be read at all"`
	// Duplicate: a key is given twice, and the last one counts.
	Duplicate bool `json:"duplicate" jsonschema:"description=a key is given twice and the last one counts"`
}

// Suppression is the input for a subject of kind suppression: a directive that is malformed or that nothing needed.
type Suppression struct {
	Subject string `json:"subject" jsonschema:"enum=suppression"`
	State   string `json:"state" jsonschema:"enum=invalid,enum=unused"`
	Rule    string `json:"rule"`
	Message string `json:"message" jsonschema:"description=what is wrong with an invalid one"`
}
