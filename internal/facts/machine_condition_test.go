package facts_test

import (
	"testing"

	"github.com/hclint/hclint/internal/facts"
)

func TestANodeAnnouncesSomeConditionsItself(t *testing.T) {
	t.Parallel()
	const v1beta1, v1beta2 = "machine.openshift.io/v1beta1", "cluster.x-k8s.io/v1beta2"
	for name, tc := range map[string]struct {
		version, spec string
		want          bool
	}{
		"a reclaimed instance":           {v1beta1, "unhealthyConditions: [{type: Terminating, status: 'True'}]", true},
		"a disk, in v1beta2":             {v1beta2, "checks: {unhealthyNodeConditions: [{type: DiskFull, status: 'True'}]}", true},
		"not ready":                      {v1beta1, "unhealthyConditions: [{type: Ready, status: 'False'}]", false},
		"not heard of":                   {v1beta1, "unhealthyConditions: [{type: DiskFull, status: 'True'}, {type: Ready, status: Unknown}]", false},
		"another that may be unknown":    {v1beta1, "unhealthyConditions: [{type: DiskFull, status: Unknown}]", false},
		"a network that is not there":    {v1beta1, "unhealthyConditions: [{type: NetworkUnavailable, status: 'True'}]", false},
		"of the machine":                 {v1beta2, "checks: {unhealthyNodeConditions: [{type: A, status: 'True'}], unhealthyMachineConditions: [{type: B, status: 'False'}]}", false},
		"none":                           {v1beta1, "maxUnhealthy: 100%", false},
		"only the time that a start has": {v1beta2, "checks: {nodeStartupTimeoutSeconds: 600}", false},
	} {
		manifest := "apiVersion: " + tc.version + "\nkind: MachineHealthCheck\nmetadata: {name: m}\nspec:\n  selector: {matchLabels: {a: b}}\n" + indent(tc.spec, 2)
		m, ok := one(t, manifest)[0].Input.(*facts.Machine)
		if !ok || m.Checks[0].Announced != tc.want {
			t.Errorf("%s: announced is %v, want %v", name, !tc.want, tc.want)
		}
	}
}
