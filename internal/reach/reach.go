// Package reach proves what a probe touches: from its handler through shell, scripts in ConfigMaps, environment and
// Services to the dependency, with a trace. It says nothing that it cannot prove.
package reach

import (
	"github.com/hclint/hclint/loader"
)

// Place says where a target is, as seen from the container that is probed (DESIGN.md, "Reach").
type Place string

// The places.
const (
	Self       Place = "self"        // loopback, a unix socket, the pod's own IP or hostname, a sidecar
	Node       Place = "node"        // the kubelet's node: host 127.0.0.1 without hostNetwork
	OwnService Place = "own-service" // a Service or Ingress host that selects this very workload
	InBundle   Place = "service"     // a Service of the bundle that selects something else, or an ExternalName
	Cluster    Place = "cluster"     // a cluster DNS name that is not in the bundle
	External   Place = "external"    // any other name or address
	Unknown    Place = "unknown"     // could not be resolved
)

// Remote reports whether p is provably outside the pod.
func (p Place) Remote() bool {
	switch p {
	case OwnService, InBundle, Cluster, External:
		return true
	case Self, Node, Unknown:
	}
	return false
}

// Confidence says how a fact was found.
type Confidence string

// The confidences.
const (
	Certain Confidence = "certain" // shown by running the check with the target up and down
	Likely  Confidence = "likely"  // read off the text, or rests on a convention
)

// Step is one step of a trace: where it stands and what it does there ("runs /scripts/alive.sh, from ConfigMap api-scripts").
type Step struct {
	Object *loader.Object
	Span   loader.Span
	Text   string
}

// Target is one thing that a probe touches.
type Target struct {
	Host   string // "" for a unix socket or where nothing names one (a broker known only by the tool)
	Port   string // a number, or "" when unknown
	Scheme string // "tcp", "http", "https", "grpc", "unix", "postgresql", ... as far as known
	Place  Place
	// Dependency is the product or role asked ("PostgreSQL", "the message broker"); "" when only an address is known.
	Dependency string
	// Subject is the bundle's own words for what stands behind the address ("StatefulSet orders-db"); "" when unknown.
	Subject string
	// Via is the program or handler that connects: "pg_isready", "curl", "/dev/tcp", "httpGet", "tcpSocket", "grpc".
	Via string
	// Decides: an outage of this target turns the probe's success into failure. False when the failure is tolerated
	// (|| true), and when nothing was shown (then Confidence is Likely and Assumed is true).
	Decides bool
	// Hangs: the check tolerates that the target refuses, but waits for one that does not answer (packets dropped, a node gone) until
	// timeoutSeconds have passed, which is a failure of the probe. Only set where Decides is false.
	Hangs bool
	// Assumed: no healthy run could be made, so Decides rests on the text alone.
	Assumed    bool
	Confidence Confidence
	// Outcome says what the simulated outage does ("the probe exits 2"); "" when none was simulated.
	Outcome string
	Trace   []Step // first step at the probe, last at the target; never empty
}

// Service is what a name leads to, as seen from one workload.
type Service struct {
	Object       *loader.Object
	Own          bool   // it selects the workload that is probed
	Backs        string // what it selects ("StatefulSet orders-db"), "" when nothing in the bundle
	ExternalName string
	Headless     bool
}

// Lookup finds other objects of the bundle, as seen from one workload: the nearest in the directory tree wins.
type Lookup interface {
	// Object finds an object by kind, namespace and name; nil when there is none. An empty namespace on either side
	// matches any one namespace, since manifests often leave it to the command line.
	Object(kind, namespace, name string) *loader.Object
	// Service finds a Service.
	Service(namespace, name string) (Service, bool)
	// IngressHost finds the Service that an Ingress, Gateway route or Route sends a host name to.
	IngressHost(host string) (Service, bool)
}

// Subject is a container's probe with its surroundings.
type Subject struct {
	Workload  *loader.Object    // what holds the pod template
	Pod       loader.Node       // the PodSpec mapping
	Labels    map[string]string // of the pod template
	Container loader.Node
	Probe     loader.Node // the probe mapping
}

// Result is what is known of one probe.
type Result struct {
	// Handler is "exec", "httpGet", "tcpSocket", "grpc" or "" (none, or more than one).
	Handler string
	Targets []Target // in the order the probe reaches them, one per host, port and place
	// Programs are the programs that an exec probe starts, wrappers looked through, in order, each once: base names.
	Programs []string
	// Opaque says why the check could not be followed to its end ("the script /opt/check.sh is inside the image"); "" when it was.
	Opaque string
	// NeverFails: the healthy run exits 0 and nothing that was tried makes it fail; only set when that is proven.
	NeverFails bool
}
