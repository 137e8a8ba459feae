package facts

import (
	"slices"
	"strings"

	"github.com/hclint/hclint/internal/endpoints"
	"github.com/hclint/hclint/internal/reach"
	"github.com/hclint/hclint/loader"
)

// Endpoint is what is known of what a probe asks of its own pod: an HTTP path, a command, a gRPC service.
type Endpoint struct {
	// Asked is the request: "/api/health", "etcdctl endpoint health", a gRPC service; "" when the probe asks no such thing.
	Asked string `json:"asked" jsonschema:"description=the path or command or gRPC service; empty when none is asked"`
	Kind  string `json:"kind" jsonschema:"enum=,enum=http,enum=command,enum=grpc"`
	Via   string `json:"via" jsonschema:"description=httpGet or grpc or the program that asks"`
	// Container answers it; another container of the pod when the port is known to be its.
	Container string `json:"container"`
	// ID, Product, Verdict, Decides, Source and Verified are the row of the endpoint data; empty when no row matches.
	ID       string `json:"id" jsonschema:"description=of the row of the endpoint data; empty when there is none"`
	Product  string `json:"product"`
	Verdict  string `json:"verdict" jsonschema:"enum=,enum=yes,enum=no,enum=config,enum=reports-only,description=what the row says"`
	Decides  string `json:"decides" jsonschema:"description=which configuration decides, in words"`
	Source   string `json:"source" jsonschema:"description=where the knowledge was read"`
	Verified string `json:"verified"`
	// Depends is the row and the configuration in the bundle taken together: does the probe fail when a dependency is down?
	Depends string `json:"depends" jsonschema:"enum=,enum=yes,enum=no,description=whether the probe fails when a dependency is down; empty when unknown"`
	// Dependency is what is down then, as in "fails when … is down".
	Dependency string `json:"dependency"`
	// Configured: the configuration in the bundle decided.
	Configured bool `json:"configured"`
	// Proxied: the server in the container hands the request on to another one, and answers nothing itself.
	Proxied    bool   `json:"proxied" jsonschema:"description=the request is handed on to a server outside the pod"`
	Cluster    bool   `json:"cluster" jsonschema:"description=the question is about a whole cluster or a role in it"`
	Readiness  bool   `json:"readiness" jsonschema:"description=it is a readiness endpoint by the row or by its name"`
	Confidence string `json:"confidence" jsonschema:"enum=,enum=certain,enum=likely"`
	Outcome    string `json:"outcome" jsonschema:"description=what an exec probe does when the endpoint fails"`
	// Alternative is a safe endpoint of the same product.
	Alternative Alternative `json:"alternative"`
	// Setting is an environment variable that takes the dependency away.
	Setting EnvSetting `json:"setting"`
	// Evidence is the index of the trace; -1 when there is none.
	Evidence int `json:"evidence"`
}

// Alternative is what to ask instead; at most one of its fields is set.
type Alternative struct {
	Path      string   `json:"path"`
	Command   []string `json:"command"`
	TCPSocket bool     `json:"tcp_socket"`
}

// EnvSetting is an environment variable to add; its name is empty when there is none.
type EnvSetting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// The values of Endpoint.Depends.
const (
	dependsYes = "yes"
	dependsNo  = "no"
)

// asking finds the endpoints of one probe.
type asking struct {
	bundle   *bundle
	workload *workload
	facts    *Workload
	own      *Container
	node     loader.Node // of the container
	probe    *Probe
	found    *reach.Exploration
	config   *configuration
}

// endpoint fills in p.Endpoint: of several requests the one that matters most.
func (a *asking) endpoint(s *Subject) {
	best, trace := Endpoint{Evidence: -1}, []reach.Step(nil)
	for _, r := range a.requests() {
		e, steps := a.judge(r)
		if best.Asked == "" || importance(e) > importance(best) {
			best, trace = e, steps
		}
	}
	if best.Asked != "" && (best.ID != "" || best.Depends != "" || best.Readiness) {
		best.Evidence = len(s.Evidence)
		s.Evidence = append(s.Evidence, trace)
	}
	if best.Alternative.Command == nil {
		best.Alternative.Command = []string{}
	}
	a.probe.Endpoint = best
}

func importance(e Endpoint) int {
	switch {
	case e.Depends == dependsYes && e.Confidence == string(reach.Certain):
		return 5
	case e.Depends == dependsYes:
		return 4
	case e.Readiness && e.Depends == "":
		return 3
	case e.ID != "":
		return 2
	}
	return 1
}

// judge looks a request up and adds what the configuration in the bundle says.
func (a *asking) judge(r question) (Endpoint, []reach.Step) {
	e := Endpoint{Asked: r.query.Text, Kind: questionKind(r.query.Probe), Via: r.via, Container: r.answer.Name, Evidence: -1}
	row := a.row(r.query)
	trace := []reach.Step{r.step}
	if r.call != nil {
		trace = slices.Clone(r.call.Trace)
	}
	if r.query.Probe == keyExec {
		e.Asked = r.step.Text // as it is written: what the variables hold may be secret
	}
	if row != nil {
		e.row(row)
		if e.Depends == dependsYes && guessedFramework(row, r.query) {
			e.Confidence = string(reach.Likely)
		}
	}
	e.Readiness = e.Readiness || readinessName(r.query)
	var reasons []reach.Step
	if r.query.Probe == keyHTTPGet {
		reasons = a.configured(r, row, &e)
	}
	if e.ID != "" {
		trace = append(trace, a.rowStep(r, row, e.Configured))
	}
	trace = append(trace, reasons...)
	e.clear(r)
	if r.call != nil && e.Depends == dependsYes {
		a.weigh(r, &e)
	}
	return e, trace
}

func questionKind(probe string) string {
	switch probe {
	case keyHTTPGet:
		return "http"
	case keyExec:
		return "command"
	}
	return probe
}

// row finds the row for a query. One that nobody has checked and that leaves all to configuration says nothing. Where the row of an image leaves a question about a cluster open, the question itself decides.
func (a *asking) row(q endpoints.Query) *endpoints.Row {
	row, err := a.bundle.endpoints.Find(q)
	if err != nil || row != nil && row.Verdict == endpoints.Config && (row.Verified == endpoints.General || guessed(row, q.Text)) {
		return nil // rows are checked before: the shipped ones by a test, a person's own when they are read
	}
	if row != nil && row.Verdict == endpoints.Config && row.Cluster {
		q.Image = ""
		if general, err := a.bundle.endpoints.Find(q); err == nil && general != nil && general.Cluster {
			return general
		}
	}
	return row
}

// guessed reports whether a row of a framework rests on a path that any application may have.
func guessed(row *endpoints.Row, path string) bool {
	if row.Framework == "" || len(row.Images) > 0 || row.Probe != keyHTTPGet {
		return false
	}
	return !slices.ContainsFunc([]string{"/actuator/", "/q/", "/observe/", "/manage", "/ht", "/."}, func(mark string) bool {
		return strings.Contains(path, mark)
	})
}

// guessedFramework reports whether the path alone tells the framework, and others use it too.
func guessedFramework(row *endpoints.Row, q endpoints.Query) bool {
	return row.Framework != "" && len(row.Images) == 0 && !strings.Contains(q.Text, "/actuator/") && !strings.Contains(q.Image, "spring")
}

// row copies a row and what it alone proves.
func (e *Endpoint) row(r *endpoints.Row) {
	e.ID, e.Product, e.Verdict, e.Decides, e.Source, e.Verified = r.ID, r.Product, r.Verdict, r.Decides, r.Evidence, r.Verified
	e.Cluster, e.Readiness = r.Cluster, r.Readiness
	e.Dependency = phrase(r.Dependency)
	if r.Alternative != nil {
		e.Alternative = Alternative{Path: r.Alternative.Path, Command: r.Alternative.Command, TCPSocket: r.Alternative.TCPSocket}
	}
	switch r.Verdict {
	case endpoints.No:
		e.Depends = dependsNo
	case endpoints.ReportsOnly:
		// A command may look at what is reported.
		if e.Depends = dependsNo; e.Via != keyHTTPGet && e.Via != keyGRPC && r.Verified != endpoints.General {
			e.Depends, e.Confidence = dependsYes, string(reach.Certain)
		}
	case endpoints.Yes:
		if r.Verified == endpoints.General {
			return
		}
		e.Depends, e.Confidence = dependsYes, string(reach.Certain)
	}
}

// phrase makes the words of a row fit after "when": names stand alone, common nouns have an article.
func phrase(dependency string) string {
	words := strings.Fields(dependency)
	if len(words) == 0 {
		return ""
	}
	first, last := words[0], words[len(words)-1]
	named := first[0] >= 'A' && first[0] <= 'Z' && last[0] >= 'A' && last[0] <= 'Z'
	if named || slices.Contains([]string{"the", "any", "every", "a", "an", "what"}, first) {
		return dependency
	}
	return "the " + dependency
}

// clear takes a readiness name back where the name says nothing: a web server whose configuration the bundle does not show
// answers such paths with a constant as often as not.
func (e *Endpoint) clear(r question) {
	if e.Depends == dependsNo {
		e.Readiness = false
	}
	if e.ID == "" && !e.Configured && webServer(r.query.Image) {
		e.Readiness = false
	}
}

func webServer(image string) bool {
	repo, _, _ := strings.Cut(image, "@")
	name := repo[strings.LastIndexByte(repo, '/')+1:]
	for _, word := range []string{"nginx", "openresty", "httpd", "caddy"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// weigh runs the check with the request failing: one that is tolerated is no dependency.
func (a *asking) weigh(r question, e *Endpoint) {
	look := a.found.Decides
	if e.Verdict == endpoints.ReportsOnly {
		look = a.found.Judges
	}
	decides, confidence, outcome := look(*r.call)
	if !decides {
		e.Depends, e.Readiness = dependsNo, false
		return
	}
	e.Outcome = outcome
	if confidence == reach.Likely {
		e.Confidence = string(reach.Likely)
	}
}

// readinessName knows the words by which an endpoint is called a readiness check.
func readinessName(q endpoints.Query) bool {
	if q.Probe == keyExec {
		return false
	}
	path, _, _ := strings.Cut(q.Text, "?")
	for word := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '/' || r == '.' || r == '?' || r == '&' }) {
		switch word = strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(word, "-", ""), "_", "")); word {
		case "ready", "readyz", "readiness", "readinessz", "isready", "healthready", "readycheck", "readinesscheck", "readinessprobe":
			return true
		}
		if strings.HasPrefix(word, "isconnected") {
			return true
		}
	}
	return false
}

// rowStep is the trace step at the image line: what its endpoint does, and where that was read.
func (a *asking) rowStep(r question, row *endpoints.Row, configured bool) reach.Step {
	at := r.node.Get("image")
	if !at.Present() {
		at = r.node
	}
	source, _, _ := strings.Cut(row.Evidence, "; ")
	return place(at, row.Product+": "+rowText(r.query, row, configured)+" ("+source+")")
}

func rowText(q endpoints.Query, row *endpoints.Row, configured bool) string {
	asked := q.Text
	if row.Probe == keyExec {
		asked = "this command"
	}
	if asked == "" {
		asked = "this endpoint"
	}
	down := "when " + phrase(row.Dependency) + " is down"
	if row.Cluster {
		down = "without " + phrase(row.Dependency)
	}
	switch row.Verdict {
	case endpoints.Yes:
		return asked + " fails " + down
	case endpoints.No:
		return asked + " answers for its own process alone"
	case endpoints.ReportsOnly:
		return asked + " reports " + phrase(row.Dependency) + " and succeeds all the same"
	}
	if configured && row.Dependency != "" {
		return asked + " may fail " + down
	}
	if row.Dependency == "" {
		return asked + " depends on its configuration: " + row.Decides
	}
	return asked + " may fail " + down + ": " + row.Decides
}

// place is a trace step at a node.
func place(n loader.Node, text string) reach.Step {
	return reach.Step{Object: n.Object(), Span: n.KeySpan(), Text: text}
}
