package config_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/config"
	"github.com/hclint/hclint/internal/endpoints"
)

func TestRowsOfAPersonsOwnAreRead(t *testing.T) {
	t.Parallel()
	got, err := config.Parse("c.yaml", []byte(`endpoints:
- id: web
  product: Web
  images: [shop/web]
  probe: httpGet
  path: ^/health$
  verdict: 'yes'
  dependency: database
  alternative: {path: /alive}
  evidence: code
  verified: source
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []endpoints.Row{{
		ID: "web", Product: "Web", Images: []string{"shop/web"}, Probe: "httpGet", Path: "^/health$", Verdict: endpoints.Yes,
		Dependency: "database", Alternative: &endpoints.Alternative{Path: "/alive"}, Evidence: "code", Verified: "source",
	}}
	if diff := cmp.Diff(want, got.Endpoints); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestRowsThatAreWrongAreErrorsWithTheirLine(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ src, want string }{
		"a key":         {"endpoints:\n- id: a\n  pth: /x\n", `c.yaml:3: unknown key "pth" in endpoints; did you mean path?`},
		"a nested key":  {"endpoints:\n- id: a\n  alternative: {pat: /x}\n", `c.yaml:3: unknown key "pat" in alternative; did you mean path?`},
		"no mapping":    {"endpoints:\n- a\n", "c.yaml:2: an entry of endpoints is a mapping of id, images, probe, path, verdict and more"},
		"no id":         {"endpoints:\n- probe: httpGet\n", "c.yaml:2: endpoints: a row has no id"},
		"the probe":     {"endpoints:\n- {id: a, probe: http}\n", `c.yaml:2: endpoints: row a: probe "http" is none of httpGet, exec, grpc`},
		"no path":       {"endpoints:\n- {id: a, probe: httpGet}\n", "c.yaml:2: endpoints: row a: no path, command or service that belongs to httpGet"},
		"the verdict":   {"endpoints:\n- {id: a, probe: httpGet, path: /, verdict: maybe}\n", `c.yaml:2: endpoints: row a: verdict "maybe" is none of yes, no, config, reports-only`},
		"no dependency": {"endpoints:\n- {id: a, probe: httpGet, path: /, verdict: 'yes'}\n", "c.yaml:2: endpoints: row a: verdict yes and no dependency"},
		"a pattern":     {"endpoints:\n- {id: a, probe: httpGet, path: (, verdict: 'no'}\n", "c.yaml:2: endpoints: row a: error parsing regexp: missing closing ): `(`"},
		"an image":      {"endpoints:\n- {id: a, images: ['['], probe: httpGet, path: /, verdict: 'no'}\n", `c.yaml:2: endpoints: row a: image pattern "[" cannot be read`},
		"a version":     {"endpoints:\n- {id: a, probe: httpGet, path: /, verdict: 'no', versions: '~1'}\n", `c.yaml:2: endpoints: row a: unknown comparison "~"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := config.Parse("c.yaml", []byte(tc.src))
			got := ""
			if err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}
