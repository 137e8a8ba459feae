package facts_test

import (
	"testing"

	"github.com/hclint/hclint/internal/facts"
)

func TestAContainerThatOnlyWaitsIsIdle(t *testing.T) {
	t.Parallel()
	for container, want := range map[string]bool{
		"image: registry.k8s.io/pause:3.10":                                  true,
		"image: 'gke.gcr.io/pause:3.8@sha256:0123'":                          true,
		"image: example/pause-amd64":                                         true,
		"image: busybox\ncommand: [sleep, infinity]":                         true,
		"image: busybox\ncommand: [sh, -c]\nargs: [sleep 3600]":              true,
		"image: busybox\ncommand: [/bin/sh, -ec, 'exec sleep inf']":          true,
		"image: busybox\ncommand: [sh, -c, 'while true; do sleep 60; done']": true,
		"image: busybox\ncommand: [tail, -f, /dev/null]":                     true,
		"image: busybox":                                                               false,
		"image: example/pauser":                                                        false,
		"image: agent\ncommand: [agent, sleep]":                                        false,
		"image: agent\ncommand: [sh, -c, 'agent & sleep infinity']":                    false,
		"image: agent\ncommand: [sh, -c, 'sleep 5 && exec agent']":                     false,
		"image: agent\ncommand: [sh, -c, 'while true; do sync-rules; sleep 60; done']": false,
		"image: agent\ncommand: [tail, -f, /var/log/syslog]":                           false,
		"image: agent\ncommand: [sh, -c, 'sleep 5; agent']":                            false,
		"image: agent\ncommand: [bash, -c, \"trap 'exit 0' TERM; agent; sleep 1\"]":    false,
	} {
		manifest := "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: a\n" + indent(container, 4)
		w, ok := one(t, manifest)[0].Input.(*facts.Workload)
		if !ok || w.Containers[0].Idle != want {
			t.Errorf("%q: idle is %v, want %v", container, !want, want)
		}
	}
}
