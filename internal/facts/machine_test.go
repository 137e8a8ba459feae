package facts_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/facts"
)

// machines finds what says how machines are replaced, by kind and name.
func machines(subjects []facts.Subject) map[string]*facts.Machine {
	out := map[string]*facts.Machine{}
	for _, s := range subjects {
		if m, ok := s.Input.(*facts.Machine); ok {
			out[m.Kind+" "+m.Name] = m
		}
	}
	return out
}

// healthCheck is a MachineHealthCheck of Cluster API; the lines go under spec.
func healthCheck(version, spec string) string {
	return "apiVersion: cluster.x-k8s.io/" + version + "\nkind: MachineHealthCheck\nmetadata: {name: check, namespace: clusters}\nspec:\n" +
		indent("clusterName: prod\n"+spec, 2) + "---\n"
}

// machineDeployment has machines labelled pool; the lines go under spec.
func machineDeployment(version, name, spec string) string {
	return "apiVersion: cluster.x-k8s.io/" + version + "\nkind: MachineDeployment\nmetadata: {name: " + name + ", namespace: clusters}\nspec:\n" +
		indent("clusterName: prod\ntemplate: {metadata: {labels: {pool: "+name+"}}}\n"+spec, 2) + "---\n"
}

func TestAMachineHealthCheckIsReadWhole(t *testing.T) {
	t.Parallel()
	manifest := healthCheck("v1beta2", "selector: {matchLabels: {pool: workers}}\nremediation: {triggerIf: {unhealthyLessThanOrEqualTo: 40%}}") +
		machineDeployment("v1beta2", "workers", "replicas: 9\nremediation: {maxInFlight: 20%}")
	got := machines(one(t, manifest))
	limit := facts.Path{"spec", "remediation", "triggerIf", "unhealthyLessThanOrEqualTo"}
	twenty := facts.Quantity{Set: true, Known: true, Text: "20%", Percent: true, Value: 20}
	nine := facts.Count{Known: true, Value: 9, From: "replicas"}
	want := map[string]*facts.Machine{
		"MachineHealthCheck check": {
			Subject: "machine", APIVersion: "cluster.x-k8s.io/v1beta2", Kind: "MachineHealthCheck", Namespace: "clusters", Name: "check",
			Checks: []facts.MachineCheck{{
				Path: facts.Path{"spec"}, LimitPath: limit, LimitField: "unhealthyLessThanOrEqualTo",
				Limit:    facts.Quantity{Set: true, Known: true, Text: "40%", Percent: true, Value: 40},
				Machines: facts.Count{Known: true, Value: 9},
				Pools:    []facts.MachinePool{{Kind: "MachineDeployment", Name: "workers", Replicas: nine, MaxInFlight: twenty}},
				Allowed:  3, AllowedKnown: true, Paced: true,
			}},
			Remediations: []facts.MachineRemediation{},
		},
		"MachineDeployment workers": {
			Subject: "machine", APIVersion: "cluster.x-k8s.io/v1beta2", Kind: "MachineDeployment", Namespace: "clusters", Name: "workers",
			Checks: []facts.MachineCheck{},
			Remediations: []facts.MachineRemediation{{
				Path: facts.Path{"spec", "remediation"}, Keys: []string{"remediation"}, Field: "maxInFlight", Written: true,
				Cap: twenty, Bound: 2, BoundKnown: true, Replicas: nine, Checks: []string{"check"},
			}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("machines (-want +got):\n%s", diff)
	}
}

func TestTheLimitOnUnhealthyMachinesRoundsDown(t *testing.T) {
	t.Parallel()
	for limit, want := range map[string]map[int]int{
		"40%":  {1: 0, 2: 0, 3: 1, 5: 2, 6: 2, 25: 10},
		"50%":  {1: 0, 2: 1, 3: 1},
		"99%":  {1: 0, 2: 1, 100: 99},
		"100%": {1: 1, 3: 3},
		"0%":   {5: 0},
		"2":    {1: 2, 9: 2},
		"0":    {9: 0},
	} {
		for replicas, allowed := range want {
			t.Run(fmt.Sprintf("%s of %d", limit, replicas), func(t *testing.T) {
				t.Parallel()
				manifest := healthCheck("v1beta1", "maxUnhealthy: "+limit+"\nselector: {matchLabels: {pool: workers}}") +
					machineDeployment("v1beta1", "workers", fmt.Sprintf("replicas: %d", replicas))
				c := machines(one(t, manifest))["MachineHealthCheck check"].Checks[0]
				if !c.AllowedKnown || c.Allowed != allowed {
					t.Errorf("allowed is %d (known: %v), want %d", c.Allowed, c.AllowedKnown, allowed)
				}
			})
		}
	}
}

func TestWhereTheLimitStandsDependsOnTheVersion(t *testing.T) {
	t.Parallel()
	type result struct {
		Field string
		Limit string
		Range string
		Path  facts.Path
	}
	selector := "selector: {matchLabels: {pool: workers}}\n"
	for name, tc := range map[string]struct {
		manifest string
		want     result
	}{
		"v1beta1":            {healthCheck("v1beta1", selector+"maxUnhealthy: 3"), result{"maxUnhealthy", "3", "", facts.Path{"spec", "maxUnhealthy"}}},
		"v1beta1 without":    {healthCheck("v1beta1", selector), result{"maxUnhealthy", "", "", facts.Path{"spec"}}},
		"v1beta1 with null":  {healthCheck("v1beta1", selector+"maxUnhealthy:"), result{"maxUnhealthy", "", "", facts.Path{"spec", "maxUnhealthy"}}},
		"v1beta1 with range": {healthCheck("v1beta1", selector+"unhealthyRange: '[1-3]'"), result{"maxUnhealthy", "", "[1-3]", facts.Path{"spec"}}},
		"v1alpha4":           {healthCheck("v1alpha4", selector+"maxUnhealthy: 3"), result{"maxUnhealthy", "3", "", facts.Path{"spec", "maxUnhealthy"}}},
		"v1beta2": {
			healthCheck("v1beta2", selector+"remediation: {triggerIf: {unhealthyLessThanOrEqualTo: 3}}"),
			result{"unhealthyLessThanOrEqualTo", "3", "", facts.Path{"spec", "remediation", "triggerIf", "unhealthyLessThanOrEqualTo"}},
		},
		"v1beta2 with range": {
			healthCheck("v1beta2", selector+"remediation: {triggerIf: {unhealthyInRange: '[1-3]'}}"),
			result{"unhealthyLessThanOrEqualTo", "", "[1-3]", facts.Path{"spec", "remediation", "triggerIf"}},
		},
		"v1beta2 without": {healthCheck("v1beta2", selector), result{"unhealthyLessThanOrEqualTo", "", "", facts.Path{"spec"}}},
		"v1beta2 with a template": {
			healthCheck("v1beta2", selector+"remediation: {templateRef: {kind: Metal3RemediationTemplate, name: reboot}}"),
			result{"unhealthyLessThanOrEqualTo", "", "", facts.Path{"spec", "remediation"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := machines(one(t, tc.manifest))["MachineHealthCheck check"].Checks[0]
			if diff := cmp.Diff(tc.want, result{c.LimitField, c.Limit.Text, c.Range.Text, c.LimitPath}); diff != "" {
				t.Errorf("limit (-want +got):\n%s", diff)
			}
		})
	}
}

func TestARangeOfUnhealthyMachinesIsReadOrUnknown(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]facts.MachineRange{
		"[1-3]":    {Set: true, Known: true, Min: 1, Max: 3},
		"[0-100]":  {Set: true, Known: true, Min: 0, Max: 100},
		"[4-4]":    {Set: true, Known: true, Min: 4, Max: 4},
		"[3-1]":    {Set: true},
		"[1-]":     {Set: true},
		"1-3":      {Set: true},
		"[1-3] x":  {Set: true},
		"${RANGE}": {Set: true},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			got := machines(one(t, healthCheck("v1beta1", "selector: {matchLabels: {a: b}}\nunhealthyRange: \""+text+"\"")))["MachineHealthCheck check"].Checks[0].Range
			want.Text, want.Path = text, facts.Path{"spec", "unhealthyRange"}
			if !want.Known {
				got.Min, got.Max = 0, 0
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("range (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMachinesJoinTheirHealthCheckByCluster(t *testing.T) {
	t.Parallel()
	other := "apiVersion: cluster.x-k8s.io/v1beta1\nkind: MachineDeployment\nmetadata: {name: other, namespace: %s}\nspec: {clusterName: %s, replicas: 4, template: {metadata: {labels: {pool: workers}}}}\n---\n"
	set := "apiVersion: cluster.x-k8s.io/v1beta1\nkind: MachineSet\nmetadata: {name: set, namespace: clusters}\nspec: {clusterName: prod, replicas: 4, template: {metadata: {labels: {pool: workers}}}}\n---\n"
	openshift := "apiVersion: machine.openshift.io/v1beta1\nkind: MachineSet\nmetadata: {name: set}\nspec: {replicas: 4, template: {metadata: {labels: {pool: workers}}}}\n---\n"
	elastic := "apiVersion: cluster.x-k8s.io/v1beta1\nkind: MachineDeployment\nmetadata:\n  name: workers\n  namespace: clusters\n" +
		"  annotations: {cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size: \"1\"}\nspec: {clusterName: prod, replicas: 4, template: {metadata: {labels: {pool: workers}}}}\n---\n"
	workers := machineDeployment("v1beta1", "workers", "replicas: 3")
	known := func(n int) facts.Count { return facts.Count{Known: true, Value: n} }
	for name, tc := range map[string]struct {
		manifest, selector string
		want               facts.Count
	}{
		"the template's labels":          {workers, "matchLabels: {pool: workers}", known(3)},
		"an expression":                  {workers, "matchExpressions: [{key: pool, operator: Exists}]", known(3)},
		"the deployment's name":          {workers, "matchLabels: {cluster.x-k8s.io/deployment-name: workers}", known(3)},
		"the cluster's name":             {workers, "matchLabels: {cluster.x-k8s.io/cluster-name: prod}", known(3)},
		"a set's name":                   {set, "matchLabels: {cluster.x-k8s.io/set-name: set}", known(4)},
		"two owners":                     {workers + set, "matchLabels: {pool: workers}", known(7)},
		"replicas left out":              {machineDeployment("v1beta1", "workers", ""), "matchLabels: {pool: workers}", known(1)},
		"templated replicas":             {machineDeployment("v1beta1", "workers", "replicas: ${N}"), "matchLabels: {pool: workers}", facts.Count{}},
		"an autoscaler":                  {elastic, "matchLabels: {pool: workers}", facts.Count{}},
		"other labels":                   {workers, "matchLabels: {pool: gpu}", facts.Count{}},
		"another cluster":                {fmt.Sprintf(other, "clusters", "edge"), "matchLabels: {pool: workers}", facts.Count{}},
		"another namespace":              {fmt.Sprintf(other, "lab", "prod"), "matchLabels: {pool: workers}", facts.Count{}},
		"machines of OpenShift":          {openshift, "matchLabels: {pool: workers}", facts.Count{}},
		"a selector that is templated":   {workers, "matchExpressions: [{key: pool, operator: \"${OP}\"}]", facts.Count{}},
		"nothing that owns the machines": {"", "matchLabels: {pool: workers}", facts.Count{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := machines(one(t, tc.manifest+healthCheck("v1beta1", "selector: {"+tc.selector+"}")))["MachineHealthCheck check"].Checks[0].Machines
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("machines (-want +got):\n%s", diff)
			}
		})
	}
}

func TestControlPlanesAreKnownByTheirLabels(t *testing.T) {
	t.Parallel()
	for selector, want := range map[string]bool{
		"matchLabels: {cluster.x-k8s.io/control-plane: ''}":                                                                true,
		"matchLabels: {cluster.x-k8s.io/control-plane-name: prod, tier: a}":                                                true,
		"matchExpressions: [{key: cluster.x-k8s.io/control-plane, operator: Exists}]":                                      true,
		"matchLabels: {machine.openshift.io/cluster-api-machine-role: master}":                                             true,
		"matchExpressions: [{key: machine.openshift.io/cluster-api-machine-type, operator: In, values: [master]}]":         true,
		"matchExpressions: [{key: machine.openshift.io/cluster-api-machine-type, operator: In, values: [master, worker]}]": false,
		"matchExpressions: [{key: cluster.x-k8s.io/control-plane, operator: DoesNotExist}]":                                false,
		"matchExpressions: [{key: pool, operator: Exists}]":                                                                false,
		"matchLabels: {machine.openshift.io/cluster-api-machine-role: worker}":                                             false,
		"matchLabels: {node-role: control-plane}":                                                                          false,
	} {
		t.Run(selector, func(t *testing.T) {
			t.Parallel()
			got := machines(one(t, healthCheck("v1beta1", "selector: {"+selector+"}")))["MachineHealthCheck check"].Checks[0].ControlPlane
			if got != want {
				t.Errorf("control plane is %v, want %v", got, want)
			}
		})
	}
}

func TestOpenShiftTakesANumberInQuotes(t *testing.T) {
	t.Parallel()
	check := "apiVersion: %s\nkind: MachineHealthCheck\nmetadata: {name: check}\nspec: {selector: {}, maxUnhealthy: %s}\n"
	for name, tc := range map[string]struct {
		manifest string
		known    bool
	}{
		"OpenShift":                  {fmt.Sprintf(check, "machine.openshift.io/v1beta1", `"2"`), true},
		"OpenShift with a template":  {fmt.Sprintf(check, "machine.openshift.io/v1beta1", `"${N}"`), false},
		"OpenShift with other words": {fmt.Sprintf(check, "machine.openshift.io/v1beta1", `"2 machines"`), false},
		"Cluster API refuses it":     {fmt.Sprintf(check, "cluster.x-k8s.io/v1beta1", `"2"`), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := machines(one(t, tc.manifest))["MachineHealthCheck check"].Checks[0].Limit.Known; got != tc.known {
				t.Errorf("known is %v, want %v", got, tc.known)
			}
		})
	}
}

func TestTheCapOfEachOwnerStandsInItsOwnPlace(t *testing.T) {
	t.Parallel()
	controlPlane := func(version, spec string) string {
		return "apiVersion: controlplane.cluster.x-k8s.io/" + version + "\nkind: KubeadmControlPlane\nmetadata: {name: cp, namespace: clusters}\nspec:\n" + indent("replicas: 3\n"+spec, 2) + "---\n"
	}
	type result struct {
		Path      facts.Path
		Written   bool
		Cap       string
		Immediate bool
		Checks    []string
	}
	check := healthCheck("v1beta1", "selector: {matchLabels: {cluster.x-k8s.io/control-plane: ''}}")
	one1 := healthCheck("v1beta1", "maxUnhealthy: 1\nselector: {matchLabels: {pool: cp}}")
	few := healthCheck("v1beta1", "maxUnhealthy: 30%\nselector: {matchLabels: {pool: cp}}")
	many := healthCheck("v1beta1", "maxUnhealthy: 60%\nselector: {matchLabels: {pool: cp}}")
	span := healthCheck("v1beta1", "unhealthyRange: '[1-1]'\nselector: {matchLabels: {pool: cp}}")
	for name, tc := range map[string]struct {
		manifest string
		want     result
	}{
		"v1beta2":            {controlPlane("v1beta2", "remediation: {maxRetry: 3, retryPeriodSeconds: 60}"), result{facts.Path{"spec", "remediation"}, true, "3", false, []string{}}},
		"v1beta2 without":    {controlPlane("v1beta2", ""), result{facts.Path{"spec"}, false, "", true, []string{}}},
		"v1beta1":            {controlPlane("v1beta1", "remediationStrategy: {retryPeriod: 1m}"), result{facts.Path{"spec", "remediationStrategy"}, true, "", false, []string{}}},
		"v1beta1, empty":     {controlPlane("v1beta1", "remediationStrategy: {}"), result{facts.Path{"spec", "remediationStrategy"}, true, "", true, []string{}}},
		"a health check":     {controlPlane("v1beta1", "") + check, result{facts.Path{"spec"}, false, "", true, []string{"check"}}},
		"deployment v1beta1": {machineDeployment("v1beta1", "cp", "replicas: 3\nstrategy: {remediation: {maxInFlight: 1}}"), result{facts.Path{"spec", "strategy", "remediation"}, true, "1", false, []string{}}},
		"deployment v1beta2": {machineDeployment("v1beta2", "cp", "replicas: 3\nremediation: {maxInFlight: 1}"), result{facts.Path{"spec", "remediation"}, true, "1", false, []string{}}},
		"one at a time":      {machineDeployment("v1beta1", "cp", "replicas: 3") + one1, result{facts.Path{"spec"}, false, "", false, []string{}}},
		"none at a time":     {machineDeployment("v1beta1", "cp", "replicas: 3") + few, result{facts.Path{"spec"}, false, "", false, []string{}}},
		"a range of one":     {machineDeployment("v1beta1", "cp", "replicas: 3") + span, result{facts.Path{"spec"}, false, "", false, []string{}}},
		"several at a time":  {machineDeployment("v1beta1", "cp", "replicas: 5") + many, result{facts.Path{"spec"}, false, "", false, []string{"check"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := machines(one(t, tc.manifest))
			m := found["KubeadmControlPlane cp"]
			if m == nil {
				m = found["MachineDeployment cp"]
			}
			r := m.Remediations[0]
			if diff := cmp.Diff(tc.want, result{r.Path, r.Written, r.Cap.Text, r.Immediate, r.Checks}); diff != "" {
				t.Errorf("remediation (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAClusterAndItsClassMakeHealthChecks(t *testing.T) {
	t.Parallel()
	type result struct {
		Scope, Limit string
		Path         facts.Path
		Machines     facts.Count
	}
	deployments := facts.Path{"spec", "topology", "workers", "machineDeployments"}
	at := func(base facts.Path, more ...any) facts.Path { return append(append(facts.Path{}, base...), more...) }
	for name, tc := range map[string]struct {
		manifest string
		want     []result
	}{
		"a class of v1beta1": {
			"apiVersion: cluster.x-k8s.io/v1beta1\nkind: ClusterClass\nmetadata: {name: c}\nspec: {controlPlane: {machineHealthCheck: {maxUnhealthy: 100%}}, workers: {machineDeployments: [{class: w, machineHealthCheck: {maxUnhealthy: 40%}}]}}\n",
			[]result{{"class w", "40%", facts.Path{"spec", "workers", "machineDeployments", 0, "machineHealthCheck", "maxUnhealthy"}, facts.Count{}}},
		},
		"a cluster of v1beta2": {
			"apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: c}\nspec: {topology: {workers: {machineDeployments: [{name: w, class: k, replicas: 4, healthCheck: {checks: {nodeStartupTimeoutSeconds: 600}}}]}}}\n",
			[]result{{"MachineDeployment w", "", at(deployments, 0, "healthCheck"), facts.Count{Known: true, Value: 4}}},
		},
		"replicas left out": {
			"apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: c}\nspec: {topology: {workers: {machineDeployments: [{name: w, healthCheck: {remediation: {triggerIf: {unhealthyLessThanOrEqualTo: 2}}}}]}}}\n",
			[]result{{"MachineDeployment w", "2", at(deployments, 0, "healthCheck", "remediation", "triggerIf", "unhealthyLessThanOrEqualTo"), facts.Count{}}},
		},
		"switched off":      {"apiVersion: cluster.x-k8s.io/v1beta1\nkind: Cluster\nmetadata: {name: c}\nspec: {topology: {workers: {machineDeployments: [{name: w, machineHealthCheck: {enable: false, maxUnhealthy: 100%}}]}}}\n", nil},
		"only switched on":  {"apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: c}\nspec: {topology: {workers: {machineDeployments: [{name: w, healthCheck: {enabled: true}}]}}}\n", nil},
		"no health check":   {"apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: c}\nspec: {topology: {workers: {machineDeployments: [{name: w, replicas: 3}]}}}\n", nil},
		"no topology":       {"apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: c}\nspec: {clusterNetwork: {}}\n", nil},
		"a part of a check": {healthCheck("v1beta1", "maxUnhealthy: 100%"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []result
			for _, m := range machines(one(t, tc.manifest)) {
				for _, c := range m.Checks {
					got = append(got, result{c.Scope, c.Limit.Text, c.LimitPath, c.Machines})
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("checks (-want +got):\n%s", diff)
			}
		})
	}
}
