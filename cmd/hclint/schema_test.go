package main

import (
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemaOf compiles what hclint schema prints.
func schemaOf(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	code, stdout, stderr := hclint(t, "", "schema", name)
	if code != exitClean {
		t.Fatalf("schema %s: exit code %d\n%s", name, code, stderr)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(stdout))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name+".json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(name + ".json")
	if err != nil {
		t.Fatalf("schema %s: %v", name, err)
	}
	return schema
}

func TestEverySchemaCompiles(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"facts", "findings", "config", "restart-policy"} {
		schemaOf(t, name)
	}
}

func TestEveryReportSatisfiesThePublishedSchema(t *testing.T) {
	t.Parallel()
	schema := schemaOf(t, "findings")
	examples, err := os.ReadDir("../../policies")
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{"../../testdata/demo"}
	for _, topic := range examples {
		if topic.IsDir() && topic.Name() != "lib" {
			paths = append(paths, "../../policies/"+topic.Name())
		}
	}
	for _, path := range paths {
		code, stdout, stderr := hclint(t, "", "--format", "json", "--allow-empty", path)
		if code == exitBroken {
			t.Errorf("%s: %s", path, stderr)
			continue
		}
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(stdout))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}
