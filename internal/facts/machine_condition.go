package facts

import "github.com/hclint/hclint/loader"

// announced reports whether a node has to say itself that it is unhealthy, as one does that is about to be reclaimed. When nothing is
// heard of a node, the node controller makes its conditions Unknown, not True (k8s.io/kubernetes
// pkg/controller/nodelifecycle), so that a network fault meets none of them.
func announced(check loader.Node) bool {
	if check.Get("checks", "unhealthyMachineConditions").Present() {
		return false
	}
	found := false
	for _, list := range []loader.Node{check.Get("unhealthyConditions"), check.Get("checks", "unhealthyNodeConditions")} {
		for _, c := range list.Items() {
			kind := c.Get("type").Text()
			if kind == "Ready" || kind == "NetworkUnavailable" || c.Get("status").Text() != "True" {
				return false
			}
			found = true
		}
	}
	return found
}
