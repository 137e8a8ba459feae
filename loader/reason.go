package loader

import (
	"bytes"
	"path"
	"strings"
)

// Reasons for not checking something, as users read them.
const (
	reasonOther     = "not a Kubernetes manifest, a restart policy, a Compose file or a systemd unit"
	reasonTemplate  = "template ({{ }}), not YAML yet"
	reasonUnfilled  = "template (${ } or { }), not YAML yet"
	reasonHelm      = "Helm template; render the chart first"
	reasonChart     = "Helm chart file"
	reasonKustomize = "Kustomize file"
	reasonNotUnit   = "not a systemd unit"
	reasonTooLarge  = "larger than 10 MiB"
)

// role is what a file is by its name and place, whatever it holds. Helm charts, Kustomizations and Compose files are
// read here one day.
type role int

const (
	anyFile       role = iota
	chartFile          // Chart.yaml, values.yaml: the chart's own
	chartTemplate      // under templates/ of a chart
	kustomizeFile
	unitFile // a systemd unit or a drop-in of one
)

// roleOf judges by the name alone; sources of a walk also look for the Chart.yaml above.
func roleOf(name string) role {
	switch path.Base(name) {
	case "kustomization.yaml", "kustomization.yml", "Kustomization":
		return kustomizeFile
	case "Chart.yaml":
		return chartFile
	}
	if isUnitName(name) {
		return unitFile
	}
	return anyFile
}

// isChartOwn reports whether base is the name of a file that every chart may have at its root beside its templates.
func isChartOwn(base string) bool {
	switch base {
	case "Chart.yaml", "Chart.lock", "requirements.yaml", "values.schema.json":
		return true
	}
	return strings.HasPrefix(base, "values") && strings.HasSuffix(base, ".yaml")
}

// reason is why a file with this role is not read at all; "" when it is read.
func (r role) reason(src []byte) string {
	switch {
	case r == chartFile:
		return reasonChart
	case r == chartTemplate && bytes.Contains(src, []byte("{{")):
		return reasonHelm
	}
	return ""
}

func isKustomize(apiVersion string) bool {
	return strings.HasPrefix(apiVersion, "kustomize.config.k8s.io/")
}

// reason is why a document is not parsed.
func (p *parser) reason(h head) string {
	switch {
	case p.role == kustomizeFile, isKustomize(h.apiVersion):
		return reasonKustomize
	case h.shape == template:
		return reasonTemplate
	default:
		return reasonOther
	}
}
