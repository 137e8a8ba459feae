package facts

import (
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

func probeKeys() []string { return []string{"livenessProbe", "readinessProbe", "startupProbe"} }

func handlerKeys() []string { return []string{keyExec, keyHTTPGet, keyTCPSocket, keyGRPC} }

func timingKeys() []string {
	return []string{keyInitialDelay, keyPeriod, keyTimeout, keySuccessThreshold, keyFailureThreshold, keyGracePeriod}
}

// level is a mapping in which probe or restart keys stand, or are put by mistake.
type level struct {
	name string // "container", "pod", "probe", "exec", …
	// known are all keys that the API has there; a key near one of them that is not wanted is somebody else's matter.
	known []string
	// wanted are the keys of known that a misspelt one is compared with.
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
			name: name, known: podKeys(), wanted: []string{keyRestart, keyGracePeriod},
			alias: map[string]string{"restart": keyRestart},
			homes: homes(homeContainer, probeKeys(), homeProbe, timingKeys()),
		}
	case "container":
		return level{
			name: name, known: containerKeys(), wanted: append(probeKeys(), keyRestart),
			alias: map[string]string{
				"liveprobe": "livenessProbe", "liveness": "livenessProbe", "livelinesscheck": "livenessProbe", "livenesscheck": "livenessProbe",
				"readyprobe": "readinessProbe", "readiness": "readinessProbe", "readinesscheck": "readinessProbe",
				"startup": "startupProbe", "restart": keyRestart,
			},
			homes: homes(homePod, []string{keyGracePeriod}, homeProbe, timingKeys(), homeProbe, handlerKeys()),
		}
	case "probe":
		return level{
			name: name, known: append(handlerKeys(), timingKeys()...), wanted: append(handlerKeys(), timingKeys()...),
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
		return handlerLevel(name, []string{keyCommand}, map[string]string{"cmd": keyCommand, "commands": keyCommand})
	case keyHTTPGet:
		return handlerLevel(name, []string{"path", keyPort, "host", keyScheme, "httpHeaders", "protocol"}, map[string]string{
			"headers": "httpHeaders", "httpheader": "httpHeaders", "header": "httpHeaders", "uri": "path", "url": "path",
		})
	case keyTCPSocket:
		return handlerLevel(name, []string{keyPort, "host"}, nil)
	case keyGRPC:
		return handlerLevel(name, []string{keyPort, "service", "mode"}, nil)
	default:
		return level{name: name, homes: homes(homeContainer, probeKeys(), homeProbe, timingKeys())}
	}
}

func handlerLevel(name string, keys []string, alias map[string]string) level {
	return level{
		name: name, known: keys, wanted: keys, alias: alias,
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
	return best
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

func containerKeys() []string {
	return append([]string{
		"name", "image", keyCommand, "args", "workingDir", "ports", "envFrom", "env", "resources", "resizePolicy", keyRestart,
		"restartPolicyRules", "volumeMounts", "volumeDevices", "lifecycle", "terminationMessagePath", "terminationMessagePolicy",
		"imagePullPolicy", "securityContext", "stdin", "stdinOnce", "tty", "targetContainerName",
	}, probeKeys()...)
}

// podKeys are those of a PodSpec that a restart key could be mistaken for, and its own.
func podKeys() []string {
	return []string{
		"containers", "initContainers", "ephemeralContainers", "volumes", keyRestart, keyGracePeriod, "activeDeadlineSeconds",
		"dnsPolicy", "hostNetwork", "preemptionPolicy", "priority", "readinessGates",
	}
}
