package facts

import (
	"slices"
	"strings"

	"github.com/hclint/hclint/internal/appconfig"
	"github.com/hclint/hclint/internal/endpoints"
	"github.com/hclint/hclint/internal/reach"
	"github.com/hclint/hclint/loader"
)

// configuration reads the configuration of the containers of a pod, each when it is first needed.
type configuration struct {
	view view
	read map[string]containerConfig
}

type containerConfig struct {
	appconfig.Container
	seen reach.Container
}

func (c *configuration) of(w *workload, n loader.Node) containerConfig {
	name := n.Get("name").Text()
	if got, ok := c.read[name]; ok {
		return got
	}
	seen := reach.NewContainer(c.view, reach.Subject{Workload: w.object, Pod: w.pod, Labels: w.labels, Container: n})
	got := containerConfig{seen: seen}
	variables, open := seen.Variables()
	files, unseen := seen.Files()
	got.Variables, got.Files, got.Arguments = settings(variables), settings(files), settings(seen.Arguments())
	got.Open, got.Unseen = open, unseen
	if c.read == nil {
		c.read = map[string]containerConfig{}
	}
	c.read[name] = got
	return got
}

func settings(list []reach.Setting) []appconfig.Setting {
	out := make([]appconfig.Setting, len(list))
	for i, s := range list {
		out[i] = appconfig.Setting(s)
	}
	return out
}

// configured lets the configuration in the bundle decide about an HTTP request.
func (a *asking) configured(r question, row *endpoints.Row, e *Endpoint) []reach.Step {
	c := a.config.of(a.workload, r.node)
	answer, product, ok := ask(c.Container, r, row)
	if !ok || answer.Verdict == appconfig.Undecided {
		return nil
	}
	steps := make([]reach.Step, 0, len(answer.Steps))
	for _, s := range answer.Steps {
		steps = append(steps, configStep(s))
	}
	e.Configured = true
	if product != "" && (row == nil || row.Framework != product) {
		e.served(product)
	}
	if answer.Verdict == appconfig.Local {
		if answer.Group != "readiness" { // the state of the process, but not whether it lives
			e.Depends = dependsNo
		}
		return steps
	}
	parts, located := reachable(c.seen, answer)
	e.needs(answer, parts)
	if e.Depends == dependsYes {
		e.Proxied = product == productNginx
		if !e.Proxied && ofConfiguration(row) {
			e.Confidence = string(reach.Likely) // what the row says and what the bundle shows have to fit together
		}
	}
	return append(steps, located...)
}

// ofConfiguration reports whether row knows a product whose endpoint depends on how it is configured.
func ofConfiguration(row *endpoints.Row) bool {
	return row != nil && row.Framework == "" && row.Verdict == endpoints.Config
}

// served drops a row that took the server for another product.
func (e *Endpoint) served(product string) {
	e.ID, e.Verdict, e.Decides, e.Source, e.Verified, e.Confidence = "", "", "", "", "", ""
	e.Product, e.Alternative = product, Alternative{}
}

// needs fills in what the configuration gives an endpoint outside the pod: parts are its servers.
func (e *Endpoint) needs(answer appconfig.Answer, parts []string) {
	if len(parts) == 0 && answer.Dependency == "" {
		e.Depends = dependsNo // every server is inside the pod
		return
	}
	// Where the bundle says nothing of the configuration, the answer is no surer than the row.
	proven := answer.Proven && (len(answer.Steps) > 0 || e.Confidence == "") || e.Confidence == string(reach.Certain)
	e.Depends, e.Confidence = dependsYes, string(reach.Likely)
	if proven {
		e.Confidence = string(reach.Certain)
	}
	e.Setting = EnvSetting{Name: answer.Variable, Value: answer.Value}
	switch {
	case len(parts) == 0:
		e.Dependency = answer.Dependency
	case answer.Any:
		e.Dependency = "every server of the group (" + strings.Join(parts, ", ") + ")"
	default:
		e.Dependency = strings.Join(parts, " or ")
	}
}

// ask picks the reader of the configuration: by the row, by the image, by what the configuration mentions.
func ask(c appconfig.Container, r question, row *endpoints.Row) (answer appconfig.Answer, product string, ok bool) {
	if webServer(r.query.Image) || slices.ContainsFunc(c.Files, func(f appconfig.Setting) bool { return strings.Contains(f.Name, "/nginx/") }) {
		if answer, ok = appconfig.Nginx(c, appconfig.Request{Port: r.port, Path: r.query.Text, Host: r.host}); ok {
			return answer, productNginx, true
		}
	}
	if row != nil && row.Framework == "" {
		if row.ID == "grafana-api-health" {
			return appconfig.Grafana(c), "", true
		}
		answer, ok = appconfig.Database(row.ID, c)
		return answer, "", ok
	}
	if spring := row != nil && row.Framework == springBoot; spring || appconfig.MentionsSpring(c) {
		if answer, ok = appconfig.Spring(c, r.query.Text, spring); ok {
			return answer, springBoot, true
		}
	}
	answer, ok = appconfig.Framework(c, r.query.Text)
	return answer, "", ok
}

const productNginx = "nginx"

// springBoot is how the endpoint data names the framework.
const springBoot = "Spring Boot"

// reachable names the servers outside the pod, and says what stands behind them.
func reachable(c reach.Container, answer appconfig.Answer) (parts []string, steps []reach.Step) {
	for _, s := range answer.Servers {
		if s.Host == "" {
			parts = appendNew(parts, s.Product)
			continue
		}
		loc := c.Locate(s.Host)
		if !loc.Place.Remote() {
			continue
		}
		address := s.Host
		if s.Port != "" {
			address += ":" + s.Port
		}
		switch {
		case s.Product != "":
			address = s.Product + " at " + address
		case loc.Subject != "":
			address += " (" + loc.Subject + ")"
		}
		parts = appendNew(parts, address)
		if loc.At != nil && loc.Text != "" {
			steps = append(steps, reach.Step{Object: loc.At, Span: loc.At.Span(loader.Path{"metadata", "name"}), Text: loc.Text})
		}
	}
	return parts, steps
}

func appendNew[T comparable](list []T, item T) []T {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

// configStep gives a reason its place in the manifest.
func configStep(s appconfig.Step) reach.Step {
	step := place(s.Setting.At, s.Text)
	if s.Setting.Exact && s.To > s.From {
		step.Span = s.Setting.At.At(s.From, s.To)
	}
	return step
}
