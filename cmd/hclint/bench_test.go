package main

import (
	"io"
	"strings"
	"testing"
)

// BenchmarkRun is the whole program but for the start of the process: rules are read, compiled and asked every time.
func BenchmarkRun(b *testing.B) {
	for name, path := range map[string]string{"file": "../../testdata/demo/api.yaml", "demo": "../../testdata/demo"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				args := []string{"--no-config", "--fail-on", "never", path}
				if code := run(b.Context(), args, strings.NewReader(""), io.Discard, io.Discard, func(string) string { return "" }); code != exitClean {
					b.Fatalf("exit code %d", code)
				}
			}
		})
	}
}
