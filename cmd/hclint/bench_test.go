package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// BenchmarkRun is the whole program but for the start of the process: rules are read, compiled and asked every time.
func BenchmarkRun(b *testing.B) {
	for _, c := range []struct{ name, path string }{
		{"file", "../../testdata/demo/api.yaml"},
		{"demo", "../../testdata/demo"},
		{"thousand", thousandObjects(b)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				args := []string{"--no-config", "--fail-on", "never", "--format", "json", c.path}
				if code := run(b.Context(), args, strings.NewReader(""), io.Discard, io.Discard, func(string) string { return "" }); code != exitClean {
					b.Fatalf("exit code %d", code)
				}
			}
		})
	}
}

// BenchmarkDecode is what BenchmarkRun/thousand is held against: the same bytes into YAML nodes and nothing else, on one core.
func BenchmarkDecode(b *testing.B) {
	files, err := filepath.Glob(filepath.Join(thousandObjects(b), "*", "*.yaml"))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, name := range files {
			src, err := os.ReadFile(name)
			if err != nil {
				b.Fatal(err)
			}
			for part := range bytes.SplitSeq(src, []byte("\n---\n")) {
				var n yaml.Node
				if err := yaml.Unmarshal(part, &n); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}

// thousandObjects writes the demo's 8 objects 125 times, each shop in a directory and with names of its own.
func thousandObjects(b *testing.B) string {
	b.Helper()
	demo, err := filepath.Glob("../../testdata/demo/*.yaml")
	if err != nil || len(demo) == 0 {
		b.Fatalf("no demo: %v", err)
	}
	root := b.TempDir()
	for i := range 125 {
		shop := filepath.Join(root, fmt.Sprintf("shop-%03d", i))
		if err := os.Mkdir(shop, 0o755); err != nil {
			b.Fatal(err)
		}
		rename := strings.NewReplacer(
			"name: api", fmt.Sprintf("name: api-%d", i), "app: api", fmt.Sprintf("app: api-%d", i),
			"orders-db", fmt.Sprintf("orders-db-%d", i), "mailer", fmt.Sprintf("mailer-%d", i),
		)
		for _, name := range demo {
			src, err := os.ReadFile(name)
			if err != nil {
				b.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(shop, filepath.Base(name)), []byte(rename.Replace(string(src))), 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	return root
}
