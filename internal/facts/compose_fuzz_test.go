package facts_test

import (
	"testing"

	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/loader"
)

// FuzzOtherFormats prepares the facts of Compose files and of systemd units, whatever is in them.
func FuzzOtherFormats(f *testing.F) {
	for _, src := range []string{
		"services:\n  a:\n    image: b\n    extends: {service: a}\n    restart: ${X:-${Y:-no}\n    labels: [autoheal]\n    healthcheck: {test: nc -z $${D:-c} 1}\n",
		"services:\n  a: !reset null\n  b: {image: c, deploy: !override {mode: global}, healthcheck: {test: [CMD, curl, 'http://a/']}}\n",
		"services: {a: {image: b, networks: [x], links: ['b:c', ':'], extra_hosts: ['x', '=y'], environment: [A, =b], network_mode: 'service:a'}}\n",
		"[Unit]\nStartLimitIntervalSec=5min 20s\n[Service]\nRestart=always\nRestartSec=1.\nStartLimitBurst=99999999999999999999\n",
	} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(_ *testing.T, src []byte) {
		if len(src) > 1<<14 {
			return
		}
		var files []*loader.File
		for _, name := range []string{"compose.yaml", "compose.override.yaml", "a.service", "a.service.d/b.conf"} {
			file, _ := loader.Parse(name, src, loader.Options{})
			files = append(files, file)
		}
		facts.Collect(files, facts.Options{})
	})
}
