package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/facts"
)

// exits sums up the services of a file: name, policy, where it stands, and whether in this file.
func exits(c *facts.Compose) []string {
	out := []string{}
	for _, s := range c.Services {
		line := s.Name + " " + s.Exit.Policy + " " + s.Exit.Path.String()
		if s.Exit.Own {
			line += " own"
		}
		if s.Partial {
			line += " partial"
		}
		out = append(out, line)
	}
	return out
}

func TestServicesAreWhatTheyExtend(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"p/compose.yaml": "services:\n  a:\n    image: b\n    restart: always\n  b:\n    extends: a\n  c:\n    extends: {service: a}\n    restart: on-failure\n" +
			"  d:\n    extends: {file: ../common.yaml, service: base}\n  e:\n    extends: {file: gone.yaml, service: x}\n  f:\n    extends: nobody\n  g:\n    extends: g\n",
		"common.yaml": "services:\n  base:\n    image: z\n    restart: unless-stopped\n",
	}
	got := composes(collect(t, files, "p/compose.yaml", "common.yaml"))
	want := []string{
		"a always /services/a/restart own",
		"b always /services/b/extends",
		"c on-failure /services/c/restart own",
		"d unless-stopped /services/d/extends",
		"e unknown /services/e own partial",
		"f unknown /services/f own partial",
		"g unknown /services/g own partial",
	}
	if diff := cmp.Diff(want, exits(got["p/compose.yaml"])); diff != "" {
		t.Errorf("services (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"base unless-stopped /services/base/restart own"}, exits(got["common.yaml"])); diff != "" {
		t.Errorf("the other file (-want +got):\n%s", diff)
	}
	if !got["p/compose.yaml"].Partial || got["common.yaml"].Partial {
		t.Error("partial is wrong")
	}
}

func TestAnOverrideIsMergedWithWhatItOverrides(t *testing.T) {
	t.Parallel()
	base := "services:\n  a:\n    image: b\n    restart: always\n    deploy: {restart_policy: {condition: any, max_attempts: 2}}\n  b: {image: c}\n"
	for _, tc := range []struct {
		name, file, text string
		want             []string
	}{
		{"a value", "compose.override.yaml", "services:\n  b: {restart: always}\n", []string{"b always /services/b/restart own"}},
		{"nothing of its own", "compose.override.yaml", "services:\n  a: {ports: ['1:1']}\n", []string{"a always /services/a"}},
		{"a part of a mapping", "prod.yaml", "services:\n  a: {deploy: {restart_policy: {condition: none}}}\n", nil},
		{"a part of a mapping by name", "compose.prod.yaml", "services:\n  a: {deploy: {restart_policy: {condition: none}}}\n", []string{"a no /services/a/deploy/restart_policy own"}},
		{"a value taken away", "compose.override.yaml", "services:\n  a:\n    restart: !reset null\n    deploy: !reset null\n", []string{"a no /services/a own"}},
		{"a mapping replaced whole", "compose.override.yaml", "services:\n  a:\n    restart: !reset null\n    deploy: !override {replicas: 2}\n", []string{"a no /services/a own"}},
		{"a file of its own", "compose.other.yaml", "services:\n  a: {image: x}\n", []string{"a no /services/a own"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			subjects := composes(collect(t, map[string]string{"compose.yaml": base, tc.file: tc.text}, "compose.yaml", tc.file))
			var got []string
			if c := subjects[tc.file]; c != nil {
				got = exits(c)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("services (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnOverrideWithoutItsBaseIsAPart(t *testing.T) {
	t.Parallel()
	text := "services:\n  a: {deploy: {restart_policy: {max_attempts: 3}}}\n  b: {ports: ['1:1']}\n  c: {restart: always}\n"
	c := composes(collect(t, map[string]string{"docker-compose.prod.yml": text}, "docker-compose.prod.yml"))["docker-compose.prod.yml"]
	want := []string{
		"a unknown /services/a/deploy/restart_policy own partial", "b unknown /services/b own partial", "c always /services/c/restart own partial",
	}
	if diff := cmp.Diff(want, exits(c)); diff != "" {
		t.Errorf("services (-want +got):\n%s", diff)
	}
}

func TestAnIncludedServiceIsAName(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"compose.yaml":  "include: [db.yaml, {path: [more/q.yaml]}]\nservices:\n  a:\n    image: b\n    labels: [autoheal=true]\n    healthcheck: {test: 'nc -z db 1 && nc -z q 2 && nc -z r 3'}\n",
		"db.yaml":       "services:\n  db: {image: c}\n",
		"more/q.yaml":   "services:\n  q: {image: c}\n",
		"more/not.yaml": "services:\n  r: {image: c}\n",
	}
	c := composes(collect(t, files, "compose.yaml", "db.yaml", "more/q.yaml", "more/not.yaml"))["compose.yaml"]
	got := map[string]string{}
	for _, target := range c.Services[0].Health.Targets {
		got[target.Host] = target.Place
	}
	if diff := cmp.Diff(map[string]string{"db": "service", "q": "service", "r": "cluster"}, got); diff != "" {
		t.Errorf("targets (-want +got):\n%s", diff)
	}
	if len(c.Services) != 1 {
		t.Errorf("%d services are judged in the file", len(c.Services))
	}
}

func TestOneTextOfSeveralServicesIsTheFirstOnes(t *testing.T) {
	t.Parallel()
	c := compose(t, "x-r: &r\n  restart: always\nservices:\n  a: {<<: *r, image: b}\n  b: {<<: *r, image: b}\n  c: {<<: *r, image: b}\n")
	want := []string{"a always /services/a/restart own", "b always /services/b/restart", "c always /services/c/restart"}
	if diff := cmp.Diff(want, exits(c)); diff != "" {
		t.Errorf("services (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"b", "c"}, c.Services[0].Restart.Also); diff != "" {
		t.Errorf("also (-want +got):\n%s", diff)
	}
}
