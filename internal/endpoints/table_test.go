package endpoints_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/endpoints"
)

const rows = `endpoints:
- id: grafana-api-health
  product: Grafana
  images: [grafana/grafana, 'bitnami*/grafana']
  probe: httpGet
  path: '^/api/health$'
  verdict: config
  dependency: SQL database
  evidence: source
  verified: source
- id: etcd-health
  product: etcd
  images: [etcd]
  probe: httpGet
  path: '^/health'
  exclude: 'serializable=true'
  verdict: 'yes'
  dependency: quorum of the other members
  cluster: true
  evidence: source
  verified: source
- id: etcd-health-serializable
  product: etcd
  images: [etcd]
  probe: httpGet
  path: '^/health.*serializable=true'
  verdict: 'no'
  evidence: source
  verified: source
- id: keycloak-live-old
  product: Keycloak
  images: [keycloak/keycloak]
  probe: httpGet
  path: '^/health/live$'
  versions: '<18'
  verdict: 'yes'
  dependency: SQL database
  evidence: issue
  verified: issue
- id: special-etcd
  product: A fork
  images: [acme/etcd]
  probe: httpGet
  path: '^/health'
  verdict: 'no'
  evidence: docs
  verified: docs
- id: spring-health
  product: Spring Boot
  framework: Spring Boot
  images: []
  probe: httpGet
  path: '^/actuator/health$'
  verdict: config
  dependency: every indicator
  evidence: docs
  verified: docs
`

func table(t *testing.T) *endpoints.Table {
	t.Helper()
	got, err := endpoints.Load(fstest.MapFS{"data/a.yaml": {Data: []byte(rows)}}, "data")
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestFindKnowsImagesBehindRegistriesMirrorsTagsAndDigests(t *testing.T) {
	t.Parallel()
	known := table(t)
	for name, tc := range map[string]struct{ image, probe, text, want string }{
		"plain":                          {"grafana/grafana", "httpGet", "/api/health", "grafana-api-health"},
		"registry and tag":               {"docker.io/grafana/grafana:11.1.0", "httpGet", "/api/health", "grafana-api-health"},
		"mirror with a port and digest":  {"mirror.local:5000/proxy/grafana/grafana@sha256:00", "httpGet", "/api/health", "grafana-api-health"},
		"wildcard in a segment":          {"bitnamilegacy/grafana:11", "httpGet", "/api/health", "grafana-api-health"},
		"another path":                   {"grafana/grafana", "httpGet", "/healthz", ""},
		"another probe":                  {"grafana/grafana", "exec", "/api/health", ""},
		"another image of the same name": {"acme/grafana", "httpGet", "/api/health", ""},
		"a longer name":                  {"grafana/grafana-image-renderer", "httpGet", "/api/health", ""},
		"last segment alone":             {"quay.io/coreos/etcd:v3.5.9", "httpGet", "/health", "etcd-health"},
		"excluded":                       {"etcd", "httpGet", "/health?serializable=true", "etcd-health-serializable"},
		"the more specific image wins":   {"acme/etcd", "httpGet", "/health", "special-etcd"},
		"a version in range":             {"quay.io/keycloak/keycloak:17.0.1", "httpGet", "/health/live", "keycloak-live-old"},
		"a version out of range":         {"quay.io/keycloak/keycloak:26.0", "httpGet", "/health/live", ""},
		"no version at all":              {"quay.io/keycloak/keycloak:latest", "httpGet", "/health/live", ""},
		"a framework by its path alone":  {"acme/shop:1", "httpGet", "/actuator/health", "spring-health"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			row, err := known.Find(endpoints.Query{Image: tc.image, Probe: tc.probe, Text: tc.text})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if row != nil {
				got = row.ID
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("row (-want +got):\n%s", diff)
			}
		})
	}
}

func TestARowThatCannotBeReadIsAnErrorThatNamesIt(t *testing.T) {
	t.Parallel()
	src := "endpoints:\n- id: broken\n  images: [a]\n  probe: httpGet\n  path: '('\n  verdict: 'no'\n"
	known, err := endpoints.Load(fstest.MapFS{"d/x.yaml": {Data: []byte(src)}}, "d")
	if err != nil {
		t.Fatal(err)
	}
	_, err = known.Find(endpoints.Query{Image: "a", Probe: "httpGet", Text: "/"})
	want := "d/x.yaml: id: broken: error parsing regexp: missing closing ): `(`"
	if err == nil || err.Error() != want {
		t.Errorf("error is %v, want %s", err, want)
	}
}

func BenchmarkFind(b *testing.B) {
	known, err := endpoints.Load(fstest.MapFS{"data/a.yaml": {Data: []byte(rows)}}, "data")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := known.Find(endpoints.Query{Image: "docker.io/grafana/grafana:11.1.0", Probe: "httpGet", Text: "/api/health"}); err != nil {
			b.Fatal(err)
		}
	}
}
