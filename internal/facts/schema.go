package facts

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/invopop/jsonschema"
)

// schemaInputs are the kinds of subjects with the struct that becomes their Rego input. A new kind is a row here.
func schemaInputs() []schemaInput {
	return []schemaInput{
		{SubjectWorkload, Workload{}},
		{SubjectPDB, PDB{}},
		{SubjectAutoscaler, Autoscaler{}},
		{SubjectTraffic, Traffic{}},
		{SubjectMachine, Machine{}},
		{SubjectNodePool, NodePool{}},
		{SubjectRestartPolicy, RestartPolicy{}},
		{SubjectCompose, Compose{}},
		{SubjectUnit, Unit{}},
		{SubjectInput, Input{}},
		{SubjectSuppression, Suppression{}},
	}
}

type schemaInput struct {
	kind  string
	input any
}

// SubjectKinds lists the kinds of subjects that a rule may name (custom.subjects).
func SubjectKinds() []string {
	var kinds []string
	for _, s := range schemaInputs() {
		kinds = append(kinds, s.kind)
	}
	return kinds
}

// Schema returns the JSON Schema (draft 2020-12, without references) of the Rego input for a kind of subject, as decoded
// JSON. Its "object" is the raw object and may hold anything.
func Schema(kind string) (map[string]any, error) {
	all := schemaInputs()
	i := slices.IndexFunc(all, func(s schemaInput) bool { return s.kind == kind })
	if i < 0 {
		return nil, fmt.Errorf("no subject of kind %q", kind)
	}
	r := &jsonschema.Reflector{Anonymous: true, DoNotReference: true, Mapper: mapSchema}
	schema := r.Reflect(all[i].input)
	schema.Title = "facts about a subject of kind " + kind
	schema.Properties.Set("object", &jsonschema.Schema{
		Type: "object", Description: "the raw object; given only to rules that mention it",
	})
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, err
	}
	return out, nil
}

// mapSchema describes the types whose Go form says too little.
func mapSchema(t reflect.Type) *jsonschema.Schema {
	if t == reflect.TypeFor[Path]() {
		return &jsonschema.Schema{
			Type:        "array",
			Description: "leads into the object: mapping keys and sequence indexes",
			Items:       &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "integer"}}},
		}
	}
	return nil
}
