package loader_test

import (
	"fmt"

	"github.com/hclint/hclint/loader"
)

func ExampleParse() {
	const src = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
  - name: web
    livenessProbe:
      httpGet: {path: /healthz, port: 8080}
`
	file, _ := loader.Parse("web.yaml", []byte(src), loader.Options{})
	for _, object := range file.Objects {
		probe := loader.Path{"spec", "containers", 0, "livenessProbe"}
		port, _ := object.Find(probe.Child("httpGet", "port")).Int()
		absent := object.Span(probe.Child("periodSeconds"))
		fmt.Println(object.Kind, object.Name, port)
		fmt.Println("a missing periodSeconds is shown at line", absent.Start.Line)
	}
	// Output:
	// Pod web 8080
	// a missing periodSeconds is shown at line 8
}
