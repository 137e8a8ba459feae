package loader

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// formats lists the formats of the objects in a file.
func formats(name, src string) []Format {
	f, _ := Parse(name, []byte(src), Options{})
	out := []Format{}
	for _, o := range f.Objects {
		out = append(out, o.Format)
	}
	return out
}

func TestAComposeFileIsKnownByItsContent(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, file, src string }{
		{"an image", "x.yaml", "services:\n  a:\n    image: b\n"},
		{"a build", "x.yaml", "services:\n  a:\n    build: .\n    ports: ['80:80']\n"},
		{"with all that stands beside", "x.yaml", "version: '3'\nname: p\nx-a: &a {}\nservices:\n  a: {image: b, x-y: 1}\nnetworks: {}\nvolumes: {}\nsecrets: {}\nconfigs: {}\n"},
		{"only extends", "x.yaml", "services:\n  a:\n    extends: {service: b, file: c.yaml}\n"},
		{"in JSON", "x.json", `{"services": {"a": {"image": "b"}}}`},
		{"an override by name", "docker-compose.override.yml", "services:\n  a:\n    ports: !reset []\n  b: !reset null\n"},
		{"beside other keys by name", "deploy/compose.yaml", "services:\n  a:\n    image: b\ntypo: 1\n"},
		{"a variable for the image", "x.yaml", "services:\n  a:\n    image: ${IMAGE:-b}\n"},
		{"after a document that is something else", "x.yaml", "a: 1\n---\nservices:\n  a: {image: b}\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff([]Format{Compose}, formats(tc.file, tc.src)); diff != "" {
				t.Errorf("formats (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOtherServicesAreNoComposeFile(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, file, src string }{
		{"a workflow", "x.yaml", "on: push\njobs:\n  a:\n    services:\n      db: {image: b}\n"},
		{"a workflow by a Compose name", "compose.yaml", "on: push\njobs:\n  a:\n    services:\n      db: {image: b}\n"},
		{"a pipeline", "x.yaml", "services:\n  db: {image: b}\nsteps: []\n"},
		{"a list", "x.yaml", "services:\n- docker\n"},
		{"Helm values", "x.yaml", "services:\n  a:\n    image: {repository: b, tag: c}\n    replicas: 2\n"},
		{"values beside others", "values.yaml", "global: {}\nservices:\n  a: {image: b}\n"},
		{"a container of Symfony", "x.yaml", "services:\n  _defaults: {autowire: true}\n  App\\X: {class: Y, arguments: [1]}\n"},
		{"a Landofile", "x.yaml", "name: p\nservices:\n  web:\n    type: php\n    build: [composer install]\n    overrides: {}\n"},
		{"services that are no mappings", "compose.yaml", "services:\n  a: 1\n"},
		{"no services", "compose.yaml", "services: {}\n"},
		{"unknown keys under a Compose name", "compose.yaml", "services:\n  a: {type: b, size: 3, image: c}\n"},
		{"a Kubernetes object", "compose.yaml", "apiVersion: x/v1\nservices:\n  a: {image: b}\n"},
		{"an include alone", "compose.yaml", "include: [a.yaml]\n"},
		{"a key in text", "x.yaml", "a: |\n  services:\n    b: {image: c}\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff([]Format{}, formats(tc.file, tc.src)); diff != "" {
				t.Errorf("formats (-want +got):\n%s", diff)
			}
		})
	}
}

func TestARestartPolicyBesideServicesIsADocument(t *testing.T) {
	t.Parallel()
	f, _ := Parse("compose.yaml", []byte("restart_policy: {}\nservices:\n  a: {image: b}\n"), Options{Keys: []string{"restart_policy"}})
	if len(f.Objects) != 1 || f.Objects[0].Format != Document {
		t.Errorf("got %+v", f.Objects)
	}
}

func TestAComposeObjectStandsAtItsServices(t *testing.T) {
	t.Parallel()
	f, _ := Parse("x.yaml", []byte("name: shop\nservices:\n  api:\n    image: b\n    restart: no\n"), Options{})
	o := f.Objects[0]
	got := []any{o.Name, o.Kind, o.Span(nil).Start, o.Span(Path{"services", "api", "restart"}).Start, o.Span(Path{"services", "api", "deploy"}).Start}
	want := []any{
		"shop", "", Pos{Line: 2, Column: 1, Offset: 11}, Pos{Line: 5, Column: 5, Offset: 45}, Pos{Line: 3, Column: 3, Offset: 23},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
}

func TestTagsOfAnOverrideAreKept(t *testing.T) {
	t.Parallel()
	src := "services:\n  a:\n    image: b\n    restart: !reset null\n    ports: !override ['1:1']\n    deploy: !override {mode: global}\n    command: &c !reset []\n    user: !!str 5\n    tty: !override true\n"
	f, _ := Parse("x.yaml", []byte(src), Options{})
	a := f.Objects[0].Root().Get("services", "a")
	got := map[string]any{}
	for key, value := range a.Entries() {
		got[key] = []any{value.Tag(), value.Type()}
	}
	want := map[string]any{
		"image": []any{"", String}, "restart": []any{"!reset", Opaque}, "ports": []any{"!override", Seq}, "deploy": []any{"!override", Map},
		"command": []any{"!reset", Opaque}, "user": []any{"", String}, "tty": []any{"!override", Bool},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
	if got := (Node{}).Tag(); got != "" {
		t.Errorf("tag of nothing: %q", got)
	}
}

func TestABrokenComposeFileIsAProblemWhereItsNameSaysSo(t *testing.T) {
	t.Parallel()
	src := []byte("services:\n  a:\n    image: b: c\n")
	for _, tc := range []struct {
		file     string
		problems int
	}{{"compose.yaml", 1}, {"x.yaml", 0}} {
		if f, _ := Parse(tc.file, src, Options{}); len(f.Problems) != tc.problems {
			t.Errorf("%s: problems %v", tc.file, f.Problems)
		}
	}
}
