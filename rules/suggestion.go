package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
	sigs "sigs.k8s.io/yaml"
)

// suggestion renders a JSON value as the YAML a person would write: keys in the order that manifests have them, two
// spaces, no quotes where none are needed. A string is taken as text.
func suggestion(value any) (string, error) {
	if s, ok := value.(string); ok {
		return strings.TrimRight(s, "\n") + "\n", nil
	}
	// sigs.k8s.io/yaml decides how a scalar is written (what Kubernetes' YAML 1.1 would misread is quoted); only the order
	// of its keys, the alphabet's, is mended.
	text, err := sigs.Marshal(value)
	if err != nil {
		return "", err
	}
	var doc yaml.Node
	if err := yaml.Load(text, &doc); err != nil {
		return "", fmt.Errorf("suggestion: %w", err)
	}
	order(&doc)
	out, err := yaml.Dump(&doc, yaml.WithV3Defaults(), yaml.WithIndent(2), yaml.WithCompactSeqIndent(), yaml.WithLineWidth(-1))
	if err != nil {
		return "", fmt.Errorf("suggestion: %w", err)
	}
	return string(out), nil
}

// order sorts the keys of every mapping below n by their customary place; keys without one keep the alphabet's order,
// after those that stand first and before those that stand last.
func order(n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		pairs := slices.Collect(slices.Chunk(n.Content, 2))
		slices.SortStableFunc(pairs, func(a, b []*yaml.Node) int { return cmp.Compare(rank(a[0].Value), rank(b[0].Value)) })
		n.Content = slices.Concat(pairs...)
	}
	for _, child := range n.Content {
		order(child)
	}
}

// rank is the place of a key among its siblings in manifests as the Kubernetes documentation writes them.
func rank(key string) int {
	first := []string{
		"apiVersion", "kind", "metadata", "name", "namespace", "generateName", "labels", "annotations", "replicas",
		"minAvailable", "maxUnavailable", "maxSurge", "selector", "scaleTargetRef", "minReplicas", "maxReplicas", "type", "image", "command", "args", "exec", "httpGet", "tcpSocket", "grpc", "scheme", "host", "path", "port",
		"containerPort", "ports", "env", "initialDelaySeconds", "periodSeconds", "timeoutSeconds", "failureThreshold",
		"successThreshold", "restart_policy", "max_restarts_per_window", "window_seconds", "on_limit_exceeded",
		"min_healthy_fraction", "applies_to", "health_check", "startupProbe", "livenessProbe", "readinessProbe",
	}
	if i := slices.Index(first, key); i >= 0 {
		return i
	}
	if key == "spec" || key == "template" || key == "containers" || key == "status" {
		return len(first) + 2
	}
	return len(first) + 1
}
