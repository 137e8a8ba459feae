package facts

import (
	"maps"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// The keys of probes and of restarts: k8s.io/api core/v1 types.go, Probe, ProbeHandler, Container, PodSpec.
const (
	keyExec             = "exec"
	keyHTTPGet          = "httpGet"
	keyTCPSocket        = "tcpSocket"
	keyGRPC             = "grpc"
	keyInitialDelay     = "initialDelaySeconds"
	keyPeriod           = "periodSeconds"
	keyTimeout          = "timeoutSeconds"
	keySuccessThreshold = "successThreshold"
	keyFailureThreshold = "failureThreshold"
	keyGracePeriod      = "terminationGracePeriodSeconds"
	keyRestart          = "restartPolicy"
	keyPort             = "port"
	keyScheme           = "scheme"
	keyCommand          = "command"
)

//nolint:gochecknoglobals // immutable tables, asked for every key of every container
var (
	probeNames     = [...]string{"livenessProbe", "readinessProbe", "startupProbe"}
	handlerNames   = [...]string{keyExec, keyHTTPGet, keyTCPSocket, keyGRPC}
	execNames      = [...]string{keyCommand}
	httpGetNames   = [...]string{"path", keyPort, "host", keyScheme, "httpHeaders", "protocol"}
	tcpSocketNames = [...]string{keyPort, "host"}
	grpcNames      = [...]string{keyPort, "service", "mode"}
	timingNames    = [...]string{keyInitialDelay, keyPeriod, keyTimeout, keySuccessThreshold, keyFailureThreshold, keyGracePeriod}
)

func probeKeys() []string   { return slices.Clone(probeNames[:]) }
func handlerKeys() []string { return slices.Clone(handlerNames[:]) }
func timingKeys() []string  { return slices.Clone(timingNames[:]) }

// level is a mapping in which probe or restart keys stand, or are put by mistake.
type level struct {
	name string // "container", "pod", "probe", "exec", …
	// wanted are the keys that a misspelt one is compared with.
	wanted []string
	// alias are words for a wanted key that no edit distance finds.
	alias map[string]string
	// homes say where a key belongs that has no place here.
	homes map[string]string
}

// The homes of misplaced keys.
const (
	homeContainer = "container"
	homeProbe     = "probe"
	homePod       = "pod"
)

// levelNamed returns the level with that name; a level without a row of its own only knows misplaced keys.
func levelNamed(name string) level {
	switch name {
	case "pod":
		return level{
			name: name, wanted: []string{keyRestart, keyGracePeriod},
			alias: map[string]string{"restart": keyRestart},
			homes: homes(homeContainer, probeKeys(), homeProbe, timingKeys()),
		}
	case "container":
		return level{
			name: name, wanted: append(probeKeys(), keyRestart),
			alias: map[string]string{
				"liveprobe": "livenessProbe", "liveness": "livenessProbe", "livelinesscheck": "livenessProbe", "livenesscheck": "livenessProbe",
				"readyprobe": "readinessProbe", "readiness": "readinessProbe", "readinesscheck": "readinessProbe",
				"startup": "startupProbe", "restart": keyRestart,
			},
			homes: homes(homePod, []string{keyGracePeriod}, homeProbe, timingKeys(), homeProbe, handlerKeys()),
		}
	case "probe":
		return level{
			name: name, wanted: append(handlerKeys(), timingKeys()...),
			alias: map[string]string{
				"initialdelay": keyInitialDelay, "delay": keyInitialDelay, "delayseconds": keyInitialDelay, "initialdelaysec": keyInitialDelay,
				"startdelayseconds": keyInitialDelay, "timeout": keyTimeout, "timeoutsec": keyTimeout, "period": keyPeriod,
				"interval": keyPeriod, "intervalseconds": keyPeriod, "failures": keyFailureThreshold, "retries": keyFailureThreshold,
				"http": keyHTTPGet, "tcp": keyTCPSocket, "httprequest": keyHTTPGet,
			},
			homes: homes(homeContainer, append(probeKeys(), keyRestart), keyExec, []string{keyCommand},
				keyHTTPGet, []string{"path", keyScheme, "httpHeaders"}, "handler", []string{keyPort, "host"}, keyGRPC, []string{"service"}),
		}
	case keyExec:
		return handlerLevel(name, execNames[:], map[string]string{"cmd": keyCommand, "commands": keyCommand})
	case keyHTTPGet:
		return handlerLevel(name, httpGetNames[:], map[string]string{
			"headers": "httpHeaders", "httpheader": "httpHeaders", "header": "httpHeaders", "uri": "path", "url": "path",
		})
	case keyTCPSocket:
		return handlerLevel(name, tcpSocketNames[:], nil)
	case keyGRPC:
		return handlerLevel(name, grpcNames[:], nil)
	default:
		return level{name: name, homes: homes(homeContainer, probeKeys(), homeProbe, timingKeys())}
	}
}

func handlerLevel(name string, keys []string, alias map[string]string) level {
	return level{
		name: name, wanted: keys, alias: alias,
		homes: homes(homeProbe, timingKeys(), homeProbe, otherHandlers(name), homeContainer, probeKeys()),
	}
}

func otherHandlers(name string) []string {
	return slices.DeleteFunc(handlerKeys(), func(k string) bool { return k == name })
}

// homes pairs a home with the keys that belong there; the first pair that names a key wins.
func homes(pairs ...any) map[string]string {
	out := map[string]string{}
	for pair := range slices.Chunk(pairs, 2) {
		home, _ := pair[0].(string)
		keys, _ := pair[1].([]string)
		for _, k := range keys {
			if _, taken := out[k]; !taken {
				out[k] = home
			}
		}
	}
	return out
}

// meant returns the wanted key that key was probably to be, "" when none is near: the same but for case and separators, a
// known synonym, or one or two letters away. key must not be one that the level knows.
func (l level) meant(key string) string {
	folded := foldKey(key)
	if w, ok := l.alias[folded]; ok {
		return w
	}
	best, least := "", 3
	for _, w := range l.wanted {
		near := foldKey(w)
		if near == folded {
			return w
		}
		if d := levenshtein.ComputeDistance(folded, near); d < least && d <= allowed(near, folded) {
			best, least = w, d
		}
	}
	if best != "" {
		return best
	}
	for _, word := range slices.Sorted(maps.Keys(l.alias)) {
		if len(word) >= 6 && levenshtein.ComputeDistance(folded, word) == 1 {
			return l.alias[word]
		}
	}
	return ""
}

// allowed is how many letters of a key may be wrong: short keys have too many neighbours.
func allowed(want, have string) int {
	switch n := min(len(want), len(have)); {
	case n >= 10:
		return 2
	case n >= 6:
		return 1
	default:
		return 0
	}
}

// foldKey keeps the letters, in lower case: "initial_delay_seconds" and "successThreshold:" are spelt right but for that.
func foldKey(key string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z':
			return r
		default:
			return -1
		}
	}, key)
}

// knows reports whether the API has key in the mapping, or whether key cannot be a probe's or a restart's there. It is asked
// of every key, so it costs nothing.
func knows(in, key string) bool {
	switch in {
	case "pod":
		return knowsPod(key)
	case "container":
		return knowsContainer(key)
	case "probe":
		return slices.Contains(handlerNames[:], key) || slices.Contains(timingNames[:], key)
	case keyExec:
		return slices.Contains(execNames[:], key)
	case keyHTTPGet:
		return slices.Contains(httpGetNames[:], key)
	case keyTCPSocket:
		return slices.Contains(tcpSocketNames[:], key)
	case keyGRPC:
		return slices.Contains(grpcNames[:], key)
	default:
		return !strings.HasSuffix(key, "Probe") && !strings.HasSuffix(key, "Seconds") && !strings.HasSuffix(key, "Threshold")
	}
}

func knowsContainer(key string) bool {
	switch key {
	case "name", "image", keyCommand, "args", "workingDir", "ports", "envFrom", "env", "resources", "resizePolicy", keyRestart,
		"restartPolicyRules", "volumeMounts", "volumeDevices", "lifecycle", "terminationMessagePath", "terminationMessagePolicy",
		"imagePullPolicy", "securityContext", "stdin", "stdinOnce", "tty", "targetContainerName":
		return true
	}
	return slices.Contains(probeNames[:], key)
}

// knowsPod knows the keys of a PodSpec that a restart key or a probe key could be mistaken for, and the common ones.
func knowsPod(key string) bool {
	switch key {
	case "containers", "initContainers", "ephemeralContainers", "volumes", keyRestart, keyGracePeriod, "activeDeadlineSeconds",
		"dnsPolicy", "hostNetwork", "preemptionPolicy", "priority", "readinessGates", "serviceAccountName", "securityContext",
		"nodeSelector", "affinity", "tolerations", "imagePullSecrets":
		return true
	}
	return false
}
