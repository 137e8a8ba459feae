package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/facts"
)

// composes are the Compose files among subjects, by file.
func composes(subjects []facts.Subject) map[string]*facts.Compose {
	out := map[string]*facts.Compose{}
	for _, s := range subjects {
		if c, ok := s.Input.(*facts.Compose); ok {
			out[s.File.Name] = c
		}
	}
	return out
}

// compose is the one Compose file in text.
func compose(t *testing.T, text string) *facts.Compose {
	t.Helper()
	c := composes(collect(t, map[string]string{"x.yaml": text}, "x.yaml"))["x.yaml"]
	if c == nil {
		t.Fatal("no Compose file")
	}
	return c
}

func TestRestartIsReadAsTheEngineReadsIt(t *testing.T) {
	t.Parallel()
	at := facts.Path{"services", "a", "restart"}
	exit := func(policy string, limit int) facts.ComposeExit {
		return facts.ComposeExit{Policy: policy, Cap: limit, From: "restart", Path: at, Own: true}
	}
	restart := func(r facts.ComposeRestart) facts.ComposeRestart {
		r.Set, r.Own, r.Path, r.Also = true, true, at, []string{}
		return r
	}
	for _, tc := range []struct {
		name, text string
		want       facts.ComposeRestart
		exit       facts.ComposeExit
	}{
		{"always", "always", restart(facts.ComposeRestart{Known: true, Text: "always", Type: "string", Policy: "always"}), exit("always", 0)},
		{
			"a count", "on-failure:5",
			restart(facts.ComposeRestart{Known: true, Text: "on-failure:5", Type: "string", Policy: "on-failure", Count: 5, HasCount: true}),
			exit("on-failure", 5),
		},
		{
			"a count of 0 is no cap", "on-failure:0",
			restart(facts.ComposeRestart{Known: true, Text: "on-failure:0", Type: "string", Policy: "on-failure", HasCount: true}),
			exit("on-failure", 0),
		},
		{
			"a count that is none", "on-failure:x",
			restart(facts.ComposeRestart{Known: true, Text: "on-failure:x", Type: "string", Policy: "on-failure", HasCount: true, BadCount: true}),
			exit("unknown", 0),
		},
		{
			"a count after always", "always:3",
			restart(facts.ComposeRestart{Known: true, Text: "always:3", Type: "string", Policy: "always", Count: 3, HasCount: true}),
			exit("unknown", 3),
		},
		{"no in quotes", `"no"`, restart(facts.ComposeRestart{Known: true, Text: "no", Type: "string", Policy: "no"}), exit("no", 0)},
		{"no without", "no", restart(facts.ComposeRestart{Known: true, Text: "false", Type: "bool", Word: "no"}), exit("no", 0)},
		{"false", "False", restart(facts.ComposeRestart{Known: true, Text: "false", Type: "bool", Word: "false"}), exit("unknown", 0)},
		{
			"a word near one", "On_Failure",
			restart(facts.ComposeRestart{Known: true, Text: "On_Failure", Type: "string", Suggestion: "on-failure"}), exit("unknown", 0),
		},
		{"a word for no", "never", restart(facts.ComposeRestart{Known: true, Text: "never", Type: "string", Suggestion: "no"}), exit("unknown", 0)},
		{"a word near none", "whenever", restart(facts.ComposeRestart{Known: true, Text: "whenever", Type: "string"}), exit("unknown", 0)},
		{"a number", "3", restart(facts.ComposeRestart{Known: true, Text: "3", Type: "number"}), exit("unknown", 0)},
		{
			"a variable with a default", "${R:-on-failure:2}",
			restart(facts.ComposeRestart{Known: true, Text: "on-failure:2", Type: "string", Policy: "on-failure", Count: 2, HasCount: true}),
			exit("on-failure", 2),
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := compose(t, "services:\n  a:\n    image: b\n    restart: "+tc.text+"\n").Services[0]
			if diff := cmp.Diff(tc.want, s.Restart); diff != "" {
				t.Errorf("restart (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.exit, s.Exit); diff != "" {
				t.Errorf("exit (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatIsNoPolicyIsUnset(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", `""`, "${R:-}", "!reset null"} {
		s := compose(t, "services:\n  a:\n    image: b\n    restart: "+text+"\n").Services[0]
		want := facts.ComposeExit{Policy: "no", From: "default", Path: facts.Path{"services", "a"}, Own: true}
		if diff := cmp.Diff(want, s.Exit); diff != "" || s.Restart.Set {
			t.Errorf("restart %q: set %v, exit (-want +got):\n%s", text, s.Restart.Set, diff)
		}
	}
	s := compose(t, "services:\n  a:\n    image: b\n    restart: ${R}\n").Services[0]
	if s.Restart.Known || s.Exit.Policy != "unknown" {
		t.Errorf("a variable without a default: %+v, %+v", s.Restart, s.Exit)
	}
}

func TestRestartPolicyReplacesRestartWhole(t *testing.T) {
	t.Parallel()
	at := facts.Path{"services", "a", "deploy", "restart_policy"}
	for _, tc := range []struct {
		name, file, policy, beside string
		want                       facts.ComposeExit
	}{
		{"no condition", "x.yaml", "{max_attempts: 3}", "", facts.ComposeExit{Policy: "no", Cap: 3, From: "restart_policy", Path: at, Own: true}},
		{"no condition on Swarm", "x.yaml", "{max_attempts: 3}", "mode: global", facts.ComposeExit{Policy: "always", Cap: 3, From: "restart_policy", Path: at, Own: true}},
		{"any", "x.yaml", "{condition: any}", "", facts.ComposeExit{Policy: "always", From: "restart_policy", Path: at, Own: true}},
		{"none", "x.yaml", "{condition: none}", "", facts.ComposeExit{Policy: "no", From: "restart_policy", Path: at, Own: true}},
		{"a variable", "x.yaml", "{condition: '${C}'}", "", facts.ComposeExit{Policy: "unknown", From: "restart_policy", Path: at, Own: true}},
		{"a variable for the attempts", "x.yaml", "{condition: any, max_attempts: '${N}'}", "", facts.ComposeExit{Policy: "unknown", From: "restart_policy", Path: at, Own: true}},
		{"attempts as text", "x.yaml", "{condition: on-failure, max_attempts: '${N:-4}'}", "", facts.ComposeExit{Policy: "on-failure", Cap: 4, From: "restart_policy", Path: at, Own: true}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := compose(t, "services:\n  a:\n    image: b\n    restart: always\n    deploy:\n      restart_policy: "+tc.policy+"\n      "+tc.beside+"\n").Services[0]
			if diff := cmp.Diff(tc.want, s.Exit); diff != "" {
				t.Errorf("exit (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSwarmIsKnownByWhatOnlyItReads(t *testing.T) {
	t.Parallel()
	service := func(rest string) string { return "services:\n  a:\n    image: b\n" + rest }
	for _, tc := range []struct {
		name, file, text string
		want             facts.Swarm
	}{
		{"plain", "x.yaml", service("    deploy: {replicas: 3, resources: {}}\n"), facts.Swarm{}},
		{"a restart policy that both read", "x.yaml", service("    deploy: {restart_policy: {condition: any}}\n"), facts.Swarm{}},
		{"an empty name of a network", "x.yaml", service("networks: {net: {driver: bridge}}\n"), facts.Swarm{}},
		{"placement", "x.yaml", service("    deploy: {placement: {}, labels: {}}\n"), facts.Swarm{Confidence: "certain", Why: "deploy.placement of service a"}},
		{"an overlay network", "x.yaml", service("networks: {net: {driver: overlay}}\n"), facts.Swarm{Confidence: "certain", Why: "the overlay network net"}},
		{"a mode", "x.yaml", service("    deploy: {mode: global}\n"), facts.Swarm{Confidence: "certain", Why: "deploy.mode of service a"}},
		{"what it refuses beside it", "x.yaml", service("    deploy: {mode: global}\n    network_mode: host\n"), facts.Swarm{Confidence: "likely", Why: "deploy.mode of service a"}},
		{"what people copy", "x.yaml", service("    deploy: {update_config: {parallelism: 1}}\n"), facts.Swarm{Confidence: "likely", Why: "deploy.update_config of service a"}},
		{"what people copy beside what it refuses", "x.yaml", service("    deploy: {update_config: {parallelism: 1}}\n    depends_on: {c: {condition: service_started}}\n"), facts.Swarm{}},
		{"the name", "docker-stack.yml", service(""), facts.Swarm{Confidence: "likely", Why: "the file's name"}},
		{"a name with other words", "haystack.yml", service(""), facts.Swarm{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := composes(collect(t, map[string]string{tc.file: tc.text}, tc.file))[tc.file].Swarm
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("swarm (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAHealthcheckHasTheDefaultsOfTheEngine(t *testing.T) {
	t.Parallel()
	at := facts.Path{"services", "a", "healthcheck"}
	health := func(h facts.Healthcheck) facts.Healthcheck {
		h.Set, h.Own, h.Path = true, true, at
		if h.TestPath = at; h.Form != "" {
			h.TestPath = at.Child("test")
		}
		if h.Command == nil {
			h.Command = []string{}
		}
		h.Programs, h.Targets = []string{}, []facts.Target{}
		return h
	}
	shell := []string{"/bin/sh", "-c", "curl -f localhost"}
	for _, tc := range []struct {
		name, text string
		want       facts.Healthcheck
	}{
		{"text", "{test: curl -f localhost}", health(facts.Healthcheck{
			Form: "CMD-SHELL", Command: shell, Known: true, Interval: 30, Timeout: 30, Retries: 3, Harmless: 60, Fatal: 150,
		})},
		{"CMD-SHELL", "{test: [CMD-SHELL, curl -f localhost], interval: 1m30s, timeout: 500ms, retries: 1, start_period: 10s}", health(facts.Healthcheck{
			Form: "CMD-SHELL", Command: shell, Known: true, Interval: 90, Timeout: 0.5, StartPeriod: 10, Retries: 1, Harmless: 0, Fatal: 90,
		})},
		{"CMD", "{test: [CMD, curl, '-f', $$HOST], retries: 0, interval: 0s}", health(facts.Healthcheck{
			Form: "CMD", Command: []string{"curl", "-f", "$HOST"}, Known: true, Interval: 30, Timeout: 30, Retries: 3, Harmless: 60, Fatal: 150,
		})},
		{"NONE", "{test: [NONE]}", health(facts.Healthcheck{
			Form: "NONE", Disabled: true, Known: true, Interval: 30, Timeout: 30, Retries: 3, Harmless: 60, Fatal: 150,
		})},
		{"disable", "{disable: true}", health(facts.Healthcheck{
			Disabled: true, Known: true, Interval: 30, Timeout: 30, Retries: 3, Harmless: 60, Fatal: 150,
		})},
		{"a list that says nothing", "{test: [curl, localhost]}", health(facts.Healthcheck{
			Form: "invalid", Known: true, Interval: 30, Timeout: 30, Retries: 3, Harmless: 60, Fatal: 150,
		})},
		{"a variable", "{test: [CMD, a], interval: '${I}'}", health(facts.Healthcheck{
			Form: "CMD", Command: []string{"a"}, Interval: 30, Timeout: 30, Retries: 3, Harmless: 60, Fatal: 150,
		})},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := compose(t, "services:\n  a:\n    image: b\n    healthcheck: "+tc.text+"\n").Services[0].Health
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("healthcheck (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhoActsOnAnUnhealthyContainer(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, service, beside string
		want                  string
	}{
		{"nobody", "", "", ""},
		{"a label", "labels: {autoheal: 'true'}", "", "autoheal: label autoheal"},
		{"a label in a list", "labels: [autoheal=true]", "", "autoheal: label autoheal"},
		{"a label without a value", "labels: [autoheal]", "", "autoheal: label autoheal"},
		{"a label that says no", "labels: {autoheal: 'false'}", "", ""},
		{"a label of the other", "labels: {deunhealth.restart.on.unhealthy: 'true'}", "", "deunhealth: label deunhealth.restart.on.unhealthy"},
		{"its own label", "labels: {heal: 'true'}", "  h: {image: willfarrell/autoheal, environment: [AUTOHEAL_CONTAINER_LABEL=heal]}\n", "autoheal: label heal"},
		{"all", "", "  h: {image: willfarrell/autoheal, environment: {AUTOHEAL_CONTAINER_LABEL: all}}\n", "autoheal: service h watches all containers"},
		{"a label that is not known", "labels: {autoheal: '${HEAL}'}", "", ""},
		{"a label that is known by default", "labels: {autoheal: '${HEAL:-true}'}", "", "autoheal: label autoheal"},
		{"Swarm", "deploy: {mode: global}", "", "Swarm: deploy.mode of service a"},
		{"a label for Swarm alone", "deploy: {labels: {autoheal: 'true'}}", "", "Swarm: deploy.labels of service a"},
		{"restarted with another", "depends_on: {c: {restart: true}}", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			text := "services:\n  a:\n    image: b\n    healthcheck: {test: [CMD, a]}\n    " + tc.service + "\n" + tc.beside
			actor := compose(t, text).Services[0].Actor
			got := ""
			if actor.Name != "" {
				got = actor.Name + ": " + actor.Why
			}
			if got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			still := compose(t, "services:\n  a:\n    image: b\n    healthcheck: {disable: true}\n    "+tc.service+"\n"+tc.beside).Services[0]
			if still.Actor.Name != "" {
				t.Errorf("with the check disabled: %+v", still.Actor)
			}
		})
	}
}

// places follows the healthcheck of service a, with autoheal acting on it, and returns "host place subject" of what it touches.
func places(t *testing.T, service, beside string) []string {
	t.Helper()
	text := "services:\n  a:\n    image: b\n    labels: [autoheal=true]\n" + indent(service, 4) + beside
	out := []string{}
	for _, target := range compose(t, text).Services[0].Health.Targets {
		out = append(out, target.Host+" "+target.Place+" "+target.Subject)
	}
	return out
}

func TestNamesInAHealthcheckLeadWhereTheEngineLeadsThem(t *testing.T) {
	t.Parallel()
	curl := func(host string) string { return "healthcheck: {test: [CMD, curl, '-f', 'http://" + host + "/']}\n" }
	for _, tc := range []struct {
		name, service, beside string
		want                  []string
	}{
		{"loopback", curl("localhost"), "", []string{"localhost self "}},
		{"its own service", curl("a"), "", []string{"a self "}},
		{"its own container", curl("c") + "container_name: c\n", "", []string{"c self "}},
		{"its own hostname", curl("h") + "hostname: h\n", "", []string{"h self "}},
		{"its own alias", curl("al") + "networks: {net: {aliases: [al]}}\n", "", []string{"al self "}},
		{"its own address", curl("10.1.1.1") + "networks: {net: {ipv4_address: 10.1.1.1}}\n", "", []string{"10.1.1.1 self "}},
		{"any replica", curl("a") + "deploy: {replicas: 2}\n", "", []string{"a own-service service a"}},
		{"another service", curl("d"), "  d: {image: e}\n", []string{"d service service d"}},
		{"another container", curl("dc"), "  d: {image: e, container_name: dc}\n", []string{"dc service service d"}},
		{"the tasks of another service", curl("tasks.d"), "  d: {image: e}\n", []string{"tasks.d service service d"}},
		{"a link", curl("l") + "links: ['d:l']\n", "  d: {image: e}\n", []string{"l service service d"}},
		{"an external link", curl("l") + "external_links: ['x:l']\n", "", []string{"l cluster container x"}},
		{"the service whose network it shares", curl("d") + "network_mode: service:d\n", "  d: {image: e}\n", []string{"d self "}},
		{"the host", curl("host.docker.internal"), "", []string{"host.docker.internal node "}},
		{"an extra name of the host", curl("gw") + "extra_hosts: ['gw:host-gateway']\n", "", []string{"gw node "}},
		{"an extra name", curl("x") + "extra_hosts: {x: 10.0.0.1}\n", "", []string{"x external "}},
		{"an unknown name", curl("x"), "", []string{"x cluster "}},
		{"a domain", curl("x.example"), "", []string{"x.example external "}},
		{"a variable", curl("${X}"), "", []string{"… unknown "}},
		{"a default", curl("${X:-d}"), "  d: {image: e}\n", []string{"d service service d"}},
		{
			"the environment", "environment: [H=d]\nhealthcheck: {test: 'curl -f http://$$H/'}\n", "  d: {image: e}\n",
			[]string{"d service service d"},
		},
		{"a file of variables", "env_file: x.env\nhealthcheck: {test: 'curl -f http://$$H/'}\n", "", []string{"… unknown "}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, places(t, tc.service, tc.beside)); diff != "" {
				t.Errorf("targets (-want +got):\n%s", diff)
			}
		})
	}
}

func TestACheckThatNothingActsOnIsNotFollowed(t *testing.T) {
	t.Parallel()
	s := compose(t, "services:\n  a:\n    image: b\n    healthcheck: {test: curl -f http://db/}\n").Services[0]
	if len(s.Health.Targets) > 0 {
		t.Errorf("targets %v", s.Health.Targets)
	}
}

func TestVariablesAreWhatTheFileDeploysByItself(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a:${TAG:-1}": "a:1", "a:${TAG-1}": "a:1", "${A:-${B:-c}}": "c", "${A:-x${B}y}": "x…y", "a:$TAG": "a:…", "${A:?set it}": "…", "${A:+b}": "…",
		"a$$b": "a$b", "a$": "a$", "$-a": "$-a", "${A": "…", "${A:-": "", "plain": "plain",
	} {
		got := compose(t, "services:\n  a:\n    build: .\n    image: '"+text+"'\n").Services[0].Image
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
