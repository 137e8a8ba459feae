package facts

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hclint/hclint/loader"
)

// Defect is something in or around a probe that the API server rejects, or that a client without strict validation drops.
type Defect struct {
	Path      Path   `json:"path"`
	Container string `json:"container" jsonschema:"description=empty outside of containers"`
	// Kind says what is wrong; the other fields are filled in as the kind needs.
	Kind string `json:"kind" jsonschema:"enum=misspelt,enum=misplaced,enum=handlers,enum=type,enum=range,enum=threshold,enum=grace,enum=place,enum=scheme,enum=port,enum=port-name,enum=command"`
	// In is the mapping that the key stands in: a field name, "container", "pod", "template" or "workload".
	In string `json:"in"`
	// Probe is the field of the probe; "" outside of probes.
	Probe string `json:"probe"`
	Key   string `json:"key"`
	Value string `json:"value" jsonschema:"description=as written, quoted when it is text"`
	// Meant is the key or value that was probably meant, or the home of a misplaced key.
	Meant string `json:"meant"`
	// Want is what may stand there, in words.
	Want string `json:"want"`
	// Whole is the value of a misspelt or misplaced key, and of one with the wrong type.
	Whole any `json:"whole"`
}

// validator collects the defects of one workload.
type validator struct {
	found []Defect
	// lenient: another controller completes the probes (Knative), so that what is missing is no mistake.
	lenient   bool
	container string
	probe     string
}

// defects lists what the API server would reject in the probes of w, and the misspelt and misplaced keys of probes and restarts.
// Parts of workloads and kinds that another program turns into pods are left alone.
func defects(w *workload, facts *Workload, nodes []loader.Node) []Defect {
	knative := is(w.object, "serving.knative.dev", "Service")
	if !validated(w.object) && !knative {
		return nil
	}
	whole := func(c *Container) bool { return !facts.Fragment || c.Image != "" }
	if !slices.ContainsFunc(facts.Containers, func(c Container) bool { return whole(&c) }) {
		return nil
	}
	v := &validator{lenient: knative}
	v.around(w)
	for i, n := range nodes {
		if !whole(&facts.Containers[i]) {
			continue
		}
		v.container = facts.Containers[i].Name
		v.judgeContainer(n, facts.Containers[i].Type)
	}
	return v.found
}

// validated reports whether o's pod template goes through the validation of Kubernetes' pods.
func validated(o *loader.Object) bool {
	return slices.Contains([]string{"", "apps", "extensions", "batch", "argoproj.io", "apps.openshift.io", "apps.kruise.io"}, group(o.APIVersion))
}

// around looks for keys that fell out of the containers: in the pod, beside it and above it.
func (v *validator) around(w *workload) {
	if v.lenient { // a Knative revision has a timeoutSeconds of its own beside the containers
		return
	}
	v.keys(w.pod, "pod")
	if w.template.Path().String() == w.object.Root().Path().String() { // a Pod has nothing above it
		return
	}
	v.strays(w.template, "template")
	v.strays(w.object.Root().Get("spec"), "workload")
	if w.object.Kind == "CronJob" {
		v.strays(w.object.Root().Get("spec", "jobTemplate", "spec"), "workload")
	}
}

// strays finds probes and the pod's restartPolicy where they have no place.
func (v *validator) strays(n loader.Node, in string) {
	for key, value := range n.Entries() {
		switch {
		case slices.Contains(probeNames[:], key):
			v.add(Defect{Path: value.Path(), Kind: "misplaced", In: in, Key: key, Meant: homeContainer, Whole: value.Plain()})
		case key == keyRestart:
			v.add(Defect{Path: value.Path(), Kind: "misplaced", In: in, Key: key, Meant: homePod, Whole: value.Plain()})
		}
	}
}

func (v *validator) add(d Defect) {
	d.Container, d.Probe = v.container, v.probe
	v.found = append(v.found, d)
}

// keys judges the spelling and the place of the keys of one mapping.
func (v *validator) keys(n loader.Node, in string) {
	var l level
	for key, value := range n.Entries() {
		if knows(in, key) || placeholder(key) {
			continue
		}
		if l.name == "" {
			l = levelNamed(in)
		}
		if home, ok := l.homes[key]; ok {
			v.add(Defect{Path: value.Path(), Kind: "misplaced", In: in, Key: key, Value: value.Text(), Meant: home, Whole: value.Plain()})
		} else if meant := l.meant(key); meant != "" {
			v.add(Defect{Path: value.Path(), Kind: "misspelt", In: in, Key: key, Value: value.Text(), Meant: meant, Whole: value.Plain()})
		}
	}
}

// placeholder reports whether another program makes something else of a key.
func placeholder(key string) bool { return strings.Contains(key, "{{") || strings.Contains(key, "$") }

func (v *validator) judgeContainer(n loader.Node, kind string) {
	v.keys(n, "container")
	for _, in := range []string{"lifecycle", "resources", "securityContext"} {
		v.keys(n.Get(in), in)
	}
	for _, p := range n.Get("ports").Items() {
		v.keys(p, "ports")
	}
	for _, field := range probeNames {
		p := n.Get(field)
		if !p.Present() || p.Unknown() {
			continue
		}
		v.probe = field
		switch {
		case kind == typeInit && n.Get(keyRestart).Unknown(): // it may become a native sidecar
			v.judgeProbe(p)
		case kind == typeInit, kind == typeEphemeral:
			v.add(Defect{Path: p.Path(), Kind: "place", In: kind, Key: field})
		default:
			v.judgeProbe(p)
		}
		v.probe = ""
	}
}

// judgeProbe follows validateProbe, validateLivenessProbe, validateReadinessProbe and validateStartupProbe of
// k8s.io/kubernetes pkg/apis/core/validation/validation.go, and what the decoder refuses before.
func (v *validator) judgeProbe(p loader.Node) {
	if p.Type() != loader.Map {
		v.wrongType(p, v.probe, "a mapping")
		return
	}
	v.keys(p, "probe")
	for _, key := range timingNames {
		v.timing(p.Get(key), key)
	}
	v.handlers(p)
}

func (v *validator) timing(n loader.Node, key string) {
	if !n.Present() || n.Unknown() {
		return
	}
	i, ok := n.Int()
	switch {
	case n.Type() == loader.Int && key != keyGracePeriod && (!ok || i > math.MaxInt32):
		v.add(Defect{Path: n.Path(), Kind: "range", Key: key, Value: n.Text(), Want: "at most 2147483647"})
	case !ok:
		v.add(Defect{Path: n.Path(), Kind: "type", Key: key, Value: describe(n), Meant: leadingNumber(n), Want: "a whole number"})
	case key == keyGracePeriod:
		v.gracePeriod(n, i)
	default:
		v.count(n, key, i)
	}
}

func (v *validator) count(n loader.Node, key string, i int) {
	switch {
	case i < 0:
		v.add(Defect{Path: n.Path(), Kind: "range", Key: key, Value: n.Text(), Want: "at least 0"})
	case key == keySuccessThreshold && i > 1 && v.probe != "readinessProbe":
		v.add(Defect{Path: n.Path(), Kind: "threshold", Key: key, Value: n.Text()})
	}
}

func (v *validator) gracePeriod(n loader.Node, seconds int) {
	switch {
	case v.probe == "readinessProbe":
		v.add(Defect{Path: n.Path(), Kind: "grace", Key: keyGracePeriod, Value: n.Text()})
	case seconds < 1:
		v.add(Defect{Path: n.Path(), Kind: "range", Key: keyGracePeriod, Value: n.Text(), Want: "at least 1"})
	}
}

func (v *validator) wrongType(n loader.Node, key, want string) {
	v.add(Defect{Path: n.Path(), Kind: "type", Key: key, Value: describe(n), Want: want, Whole: n.Plain()})
}

// leadingNumber is the number that text such as "10s" or "5" begins with.
func leadingNumber(n loader.Node) string {
	text, _ := n.Str()
	number := text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
	if len(number) > 9 {
		return "" // too large to be meant
	}
	return number
}

func (v *validator) handlers(p loader.Node) {
	var present []string
	for _, h := range handlerNames {
		n := p.Get(h)
		if !n.Present() {
			continue
		}
		present = append(present, h)
		switch {
		case n.Unknown():
		case n.Type() != loader.Map:
			v.wrongType(n, h, "a mapping")
		default:
			v.keys(n, h)
			v.handler(n, h)
		}
	}
	if len(present) > 1 || len(present) == 0 && !v.lenient && !v.misspeltHandler(p) {
		v.add(Defect{Path: p.Path(), Kind: "handlers", Value: strings.Join(present, " and ")})
	}
}

// misspeltHandler reports whether a key of p was to be a handler; then that is the finding. A templated key may become one.
func (v *validator) misspeltHandler(p loader.Node) bool {
	l := levelNamed("probe")
	for key := range p.Entries() {
		if home, ok := l.homes[key]; ok && home != homeContainer || slices.Contains(handlerKeys(), l.meant(key)) {
			return true
		}
		if placeholder(key) {
			return true
		}
	}
	return false
}

func (v *validator) handler(n loader.Node, h string) {
	switch h {
	case keyExec:
		v.command(n)
	case keyHTTPGet:
		if s := n.Get(keyScheme); s.Present() && !s.Unknown() && s.Text() != "" && s.Text() != "HTTP" && s.Text() != "HTTPS" {
			v.add(Defect{Path: s.Path(), Kind: "scheme", Key: keyScheme, Value: describe(s), Meant: schemeMeant(s.Text())})
		}
		v.port(n, h)
	case keyTCPSocket, keyGRPC:
		v.port(n, h)
	}
}

func schemeMeant(text string) string {
	if up := strings.ToUpper(text); up == "HTTP" || up == "HTTPS" {
		return up
	}
	return ""
}

func (v *validator) command(n loader.Node) {
	c := n.Get(keyCommand)
	switch {
	case c.Unknown(), n.Type() != loader.Map:
	case !c.Present(), c.Type() == loader.Seq && c.Len() == 0:
		if !v.hasNear(n, keyExec, keyCommand) {
			v.add(Defect{Path: n.Path(), Kind: "command", Key: keyCommand})
		}
	case c.Type() != loader.Seq:
		v.wrongType(c, keyCommand, "a list of words")
	default:
		v.commandWords(c)
	}
}

func (v *validator) commandWords(command loader.Node) {
	for _, word := range command.Items() {
		switch word.Type() {
		case loader.Int, loader.Float, loader.Bool, loader.Map, loader.Seq:
			v.wrongType(word, keyCommand, "text in quotes")
		case loader.Absent, loader.Null, loader.String, loader.Opaque:
		}
	}
}

// hasNear reports whether a misspelt key of n was to be key.
func (v *validator) hasNear(n loader.Node, in, key string) bool {
	l := levelNamed(in)
	for k := range n.Entries() {
		if !knows(in, k) && l.meant(k) == key {
			return true
		}
	}
	return false
}

func (v *validator) port(n loader.Node, h string) {
	port := n.Get(keyPort)
	switch port.Type() {
	case loader.Absent, loader.Null:
		if !v.lenient && !v.hasNear(n, h, keyPort) {
			v.add(Defect{Path: n.Path(), Kind: "port", In: h, Key: keyPort, Want: "1 to 65535"})
		}
	case loader.Int:
		if i, ok := port.Int(); !ok || i < 1 || i > 65535 {
			v.add(Defect{Path: port.Path(), Kind: "port", In: h, Key: keyPort, Value: port.Text(), Want: "1 to 65535"})
		}
	case loader.String:
		v.portName(port, h)
	case loader.Opaque:
	default:
		v.wrongType(port, keyPort, "a number or a name")
	}
}

// portName follows IsValidPortName of k8s.io/apimachinery pkg/util/validation: at most 15 of a-z, 0-9 and single hyphens
// inside, one letter at least. A number in quotes is a name without a letter.
func (v *validator) portName(port loader.Node, h string) {
	name := port.Text()
	d := Defect{Path: port.Path(), Kind: "port-name", In: h, Key: keyPort, Value: strconv.Quote(name)}
	switch {
	case port.Unknown(), templated(name):
	case h == keyGRPC:
		d.Want = "a number: gRPC probes take no port name"
		v.add(d)
	case name == "":
		d.Want = "a number or a name"
		v.add(d)
	case strings.Trim(name, "0123456789") == "":
		if len(name) <= 5 {
			d.Meant = name
		}
		d.Want = "a name with a letter in it, or a number without quotes"
		v.add(d)
	case !validPortName(name):
		d.Want = "at most 15 of a-z, 0-9 and single hyphens inside"
		if lower := strings.ToLower(name); validPortName(lower) {
			d.Meant = lower
		}
		v.add(d)
	}
}

func validPortName(name string) bool {
	return len(name) <= 15 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" &&
		!strings.Contains(name, "--") && !strings.HasPrefix(name, "-") && !strings.HasSuffix(name, "-")
}
