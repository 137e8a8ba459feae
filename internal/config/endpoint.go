package config

import (
	"fmt"

	yamlnode "go.yaml.in/yaml/v4"
)

// endpointKeys checks the keys of the rows under endpoints.
func endpointKeys(file string, list *yamlnode.Node) error {
	if list == nil || list.Kind != yamlnode.SequenceNode {
		return nil
	}
	known := []string{
		"id", "product", "framework", "images", "probe", "path", "command", "service", "exclude", "versions", "verdict", "dependency",
		"decides", "cluster", "readiness", "alternative", "evidence", "verified",
	}
	for _, item := range list.Content {
		if item.Kind != yamlnode.MappingNode {
			return fmt.Errorf("%s:%d: an entry of endpoints is a mapping of id, images, probe, path, verdict and more", file, item.Line)
		}
		if err := checkKeys(file, "endpoints", item, known); err != nil {
			return err
		}
		if other := value(item, "alternative"); other != nil && other.Kind == yamlnode.MappingNode {
			if err := checkKeys(file, "alternative", other, []string{"path", "command", "tcpSocket"}); err != nil {
				return err
			}
		}
	}
	return nil
}
