package facts_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/facts"
)

// defectLines renders defects so that a row of a table fits a line.
func defectLines(w *facts.Workload) []string {
	out := []string{}
	for _, d := range w.Defects {
		out = append(out, fmt.Sprintf("%s %s in=%s key=%s value=%s meant=%s want=%s", d.Path, d.Kind, d.In, d.Key, d.Value, d.Meant, d.Want))
	}
	return out
}

func TestDefectsOfProbes(t *testing.T) {
	t.Parallel()
	const at = "/spec/template/spec/containers/0"
	for name, tc := range map[string]struct {
		container string
		want      []string
	}{
		"nothing":             {"", nil},
		"a whole probe":       {"livenessProbe:\n  httpGet: {path: /livez, port: http, scheme: HTTPS, host: a, httpHeaders: [{name: X, value: y}]}\n  periodSeconds: 5\n  timeoutSeconds: 0\n  successThreshold: 1\n  terminationGracePeriodSeconds: 5", nil},
		"null":                {"livenessProbe: null\nreadinessProbe: ~", nil},
		"templated":           {"livenessProbe:\n  httpGet: {port: '${PORT}', scheme: '{{ .scheme }}'}\n  periodSeconds: ${PERIOD}", nil},
		"a whole template":    {"livenessProbe: {{ .Values.probe }}", nil},
		"a templated handler": {"livenessProbe:\n  exec: {{ .Values.exec }}", nil},
		"success of readiness may be more": {
			"readinessProbe:\n  tcpSocket: {port: 80}\n  successThreshold: 3", nil,
		},
		"1.0 is whole":              {"readinessProbe:\n  tcpSocket: {port: 80}\n  periodSeconds: 5.0", nil},
		"words in a command":        {"livenessProbe:\n  exec: {command: [sh, -c, \"1\"]}", nil},
		"other keys of a container": {"stdin: true\nresizePolicy: []\nrestartPolicyRules: []\nlivenessCanary: 1\nresources: {limits: {cpu: 1}}", nil},
		"no handler":                {"livenessProbe: {periodSeconds: 5}", []string{at + "/livenessProbe handlers in= key= value= meant= want="}},
		"two handlers": {
			"livenessProbe:\n  tcpSocket: {port: 80}\n  httpGet: {port: 80}",
			[]string{at + "/livenessProbe handlers in= key= value=httpGet and tcpSocket meant= want="},
		},
		"success of liveness": {
			"livenessProbe:\n  tcpSocket: {port: 80}\n  successThreshold: 2",
			[]string{at + "/livenessProbe/successThreshold threshold in= key=successThreshold value=2 meant= want="},
		},
		"grace of readiness": {
			"readinessProbe:\n  tcpSocket: {port: 80}\n  terminationGracePeriodSeconds: 5",
			[]string{at + "/readinessProbe/terminationGracePeriodSeconds grace in= key=terminationGracePeriodSeconds value=5 meant= want="},
		},
		"grace of nothing": {
			"livenessProbe:\n  tcpSocket: {port: 80}\n  terminationGracePeriodSeconds: 0",
			[]string{at + "/livenessProbe/terminationGracePeriodSeconds range in= key=terminationGracePeriodSeconds value=0 meant= want=at least 1"},
		},
		"negative": {
			"livenessProbe:\n  tcpSocket: {port: 80}\n  failureThreshold: -1",
			[]string{at + "/livenessProbe/failureThreshold range in= key=failureThreshold value=-1 meant= want=at least 0"},
		},
		"more than 32 bits": {
			"livenessProbe:\n  tcpSocket: {port: 80}\n  periodSeconds: 2147483648\n  timeoutSeconds: 2147483647",
			[]string{at + "/livenessProbe/periodSeconds range in= key=periodSeconds value=2147483648 meant= want=at most 2147483647"},
		},
		"more than 64 bits": {
			"livenessProbe:\n  tcpSocket: {port: 80}\n  periodSeconds: 9223372036854775808",
			[]string{at + "/livenessProbe/periodSeconds range in= key=periodSeconds value=9223372036854775808 meant= want=at most 2147483647"},
		},
		"a grace period of 64 bits": {"livenessProbe:\n  tcpSocket: {port: 80}\n  terminationGracePeriodSeconds: 2147483648", nil},
		"a number in quotes that is far too large": {
			"livenessProbe:\n  tcpSocket: {port: 80}\n  periodSeconds: \"99999999999999999999\"",
			[]string{at + `/livenessProbe/periodSeconds type in= key=periodSeconds value="99999999999999999999" meant= want=a whole number`},
		},
		"a port in quotes that is far too large": {
			"livenessProbe:\n  tcpSocket: {port: \"99999999999999999999\"}",
			[]string{at + `/livenessProbe/tcpSocket/port port-name in=tcpSocket key=port value="99999999999999999999" meant= want=a name with a letter in it, or a number without quotes`},
		},
		"a unit": {
			"livenessProbe:\n  tcpSocket: {port: 80}\n  periodSeconds: 10s",
			[]string{at + `/livenessProbe/periodSeconds type in= key=periodSeconds value="10s" meant=10 want=a whole number`},
		},
		"half a second": {
			"livenessProbe:\n  tcpSocket: {port: 80}\n  timeoutSeconds: 0.5",
			[]string{at + `/livenessProbe/timeoutSeconds type in= key=timeoutSeconds value=0.5 meant= want=a whole number`},
		},
		"a scheme in lower case": {
			"livenessProbe:\n  httpGet: {port: 80, scheme: https}",
			[]string{at + `/livenessProbe/httpGet/scheme scheme in= key=scheme value="https" meant=HTTPS want=`},
		},
		"another scheme": {
			"livenessProbe:\n  httpGet: {port: 80, scheme: TCP}",
			[]string{at + `/livenessProbe/httpGet/scheme scheme in= key=scheme value="TCP" meant= want=`},
		},
		"no port": {
			"livenessProbe:\n  httpGet: {path: /}",
			[]string{at + "/livenessProbe/httpGet port in=httpGet key=port value= meant= want=1 to 65535"},
		},
		"port 0": {
			"livenessProbe:\n  tcpSocket: {port: 0}",
			[]string{at + "/livenessProbe/tcpSocket/port port in=tcpSocket key=port value=0 meant= want=1 to 65535"},
		},
		"a number in quotes": {
			"livenessProbe:\n  httpGet: {port: \"8080\"}",
			[]string{at + `/livenessProbe/httpGet/port port-name in=httpGet key=port value="8080" meant=8080 want=a name with a letter in it, or a number without quotes`},
		},
		"a port name in capitals": {
			"livenessProbe:\n  httpGet: {port: HTTP}",
			[]string{at + `/livenessProbe/httpGet/port port-name in=httpGet key=port value="HTTP" meant=http want=at most 15 of a-z, 0-9 and single hyphens inside`},
		},
		"a long port name": {
			"livenessProbe:\n  httpGet: {port: administration-port}",
			[]string{at + `/livenessProbe/httpGet/port port-name in=httpGet key=port value="administration-port" meant= want=at most 15 of a-z, 0-9 and single hyphens inside`},
		},
		"an empty port": {
			"livenessProbe:\n  httpGet: {port: \"\"}",
			[]string{at + `/livenessProbe/httpGet/port port-name in=httpGet key=port value="" meant= want=a number or a name`},
		},
		"a gRPC port by name": {
			"livenessProbe:\n  grpc: {port: grpc}",
			[]string{at + `/livenessProbe/grpc/port port-name in=grpc key=port value="grpc" meant= want=a number: gRPC probes take no port name`},
		},
		"a port of another type": {
			"livenessProbe:\n  tcpSocket: {port: true}",
			[]string{at + `/livenessProbe/tcpSocket/port type in= key=port value=true meant= want=a number or a name`},
		},
		"no command": {
			"livenessProbe:\n  exec: {command: []}",
			[]string{at + "/livenessProbe/exec command in= key=command value= meant= want="},
		},
		"a command as text": {
			"livenessProbe:\n  exec: {command: cat /tmp/alive}",
			[]string{at + `/livenessProbe/exec/command type in= key=command value="cat /tmp/alive" meant= want=a list of words`},
		},
		"a number in a command": {
			"livenessProbe:\n  exec: {command: [sleep, 5]}",
			[]string{at + `/livenessProbe/exec/command/1 type in= key=command value=5 meant= want=text in quotes`},
		},
		"a probe as text": {
			"livenessProbe: /healthz",
			[]string{at + `/livenessProbe type in= key=livenessProbe value="/healthz" meant= want=a mapping`},
		},
		"a handler as text": {
			"livenessProbe:\n  httpGet: /healthz",
			[]string{at + `/livenessProbe/httpGet type in= key=httpGet value="/healthz" meant= want=a mapping`},
		},
		"misspelt in the container": {
			"livenesProbe:\n  tcpSocket: {port: 80}\nreadyness_probe: {}\nrestart: Always",
			[]string{
				at + "/livenesProbe misspelt in=container key=livenesProbe value= meant=livenessProbe want=",
				at + "/readyness_probe misspelt in=container key=readyness_probe value= meant=readinessProbe want=",
				at + "/restart misspelt in=container key=restart value=Always meant=restartPolicy want=",
			},
		},
		"misspelt in the probe": {
			"livenessProbe:\n  httpget: {port: 80}\n  initialDelaySecond: 5\n  \"successThreshold:\": 1\n  interval: 5\n  timout: 3",
			[]string{
				at + "/livenessProbe/httpget misspelt in=probe key=httpget value= meant=httpGet want=",
				at + "/livenessProbe/initialDelaySecond misspelt in=probe key=initialDelaySecond value=5 meant=initialDelaySeconds want=",
				at + "/livenessProbe/successThreshold: misspelt in=probe key=successThreshold: value=1 meant=successThreshold want=",
				at + "/livenessProbe/interval misspelt in=probe key=interval value=5 meant=periodSeconds want=",
				at + "/livenessProbe/timout misspelt in=probe key=timout value=3 meant=timeoutSeconds want=",
			},
		},
		"misspelt in the handler": {
			"livenessProbe:\n  exec: {cmd: [ls]}\nreadinessProbe:\n  httpGet: {Port: 80, headers: []}",
			[]string{
				at + "/livenessProbe/exec/cmd misspelt in=exec key=cmd value= meant=command want=",
				at + "/readinessProbe/httpGet/Port misspelt in=httpGet key=Port value=80 meant=port want=",
				at + "/readinessProbe/httpGet/headers misspelt in=httpGet key=headers value= meant=httpHeaders want=",
			},
		},
		"a level too deep": {
			"livenessProbe:\n  httpGet: {port: 80, periodSeconds: 5}\n  readinessProbe:\n    tcpSocket: {port: 80}",
			[]string{
				at + "/livenessProbe/readinessProbe misplaced in=probe key=readinessProbe value= meant=container want=",
				at + "/livenessProbe/httpGet/periodSeconds misplaced in=httpGet key=periodSeconds value=5 meant=probe want=",
			},
		},
		"a level too high": {
			"periodSeconds: 5\nhttpGet: {port: 80}\nreadinessProbe:\n  path: /\n  port: 80",
			[]string{
				at + "/periodSeconds misplaced in=container key=periodSeconds value=5 meant=probe want=",
				at + "/httpGet misplaced in=container key=httpGet value= meant=probe want=",
				at + "/readinessProbe/path misplaced in=probe key=path value=/ meant=httpGet want=",
				at + "/readinessProbe/port misplaced in=probe key=port value=80 meant=handler want=",
			},
		},
		"under the ports": {
			"ports:\n- containerPort: 80\n  livenessProbe: {tcpSocket: {port: 80}}",
			[]string{at + "/ports/0/livenessProbe misplaced in=ports key=livenessProbe value= meant=container want="},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := workloads(one(t, deployment("api", "", tc.container)))["Deployment api"]
			if diff := cmp.Diff(append([]string{}, tc.want...), defectLines(w)); diff != "" {
				t.Errorf("defects (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDefectsAroundContainers(t *testing.T) {
	t.Parallel()
	const probe = "{tcpSocket: {port: 80}}"
	for name, tc := range map[string]struct {
		manifest string
		want     []string
	}{
		"the pod": {
			"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  restartpolicy: Never\n  livenessProbe: " + probe + "\n  containers: [{name: a, image: a}]\n",
			[]string{
				"/spec/restartpolicy misspelt in=pod key=restartpolicy value=Never meant=restartPolicy want=",
				"/spec/livenessProbe misplaced in=pod key=livenessProbe value= meant=container want=",
			},
		},
		"a sound pod": {"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  restartPolicy: Never\n  terminationGracePeriodSeconds: 5\n  containers: [{name: a, image: a}]\n", nil},
		"the Job": {
			"apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  restartPolicy: Never\n  template:\n    readinessProbe: " + probe + "\n    spec:\n      containers: [{name: a, image: a}]\n",
			[]string{
				"/spec/template/readinessProbe misplaced in=template key=readinessProbe value= meant=container want=",
				"/spec/restartPolicy misplaced in=workload key=restartPolicy value= meant=pod want=",
			},
		},
		"the CronJob's Job": {
			"apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a}\nspec:\n  jobTemplate:\n    spec:\n      restartPolicy: Never\n      template:\n        spec:\n          containers: [{name: a, image: a}]\n",
			[]string{"/spec/jobTemplate/spec/restartPolicy misplaced in=workload key=restartPolicy value= meant=pod want="},
		},
		"an init container": {
			"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers: [{name: a, image: a}]\n  initContainers:\n  - {name: b, image: b, readinessProbe: " + probe + "}\n  - {name: c, image: c, restartPolicy: Always, startupProbe: " + probe + "}\n  - {name: e, image: e, restartPolicy: '${POLICY}', startupProbe: " + probe + "}\n  ephemeralContainers:\n  - {name: d, image: d, livenessProbe: " + probe + "}\n",
			[]string{
				"/spec/initContainers/0/readinessProbe place in=init key=readinessProbe value= meant= want=",
				"/spec/ephemeralContainers/0/livenessProbe place in=ephemeral key=livenessProbe value= meant= want=",
			},
		},
		"a patch": {"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n  template:\n    spec:\n      containers:\n      - name: a\n        livenessProbe: {periodSeconds: 5}\n", nil},
		"Knative completes probes": {
			"apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: a}\nspec:\n  template:\n    spec:\n      containers:\n      - image: a\n        readinessProbe: {periodSeconds: 0}\n        livenessProbe: {httpGet: {path: /}}\n", nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, w := range workloads(one(t, tc.manifest)) {
				if diff := cmp.Diff(append([]string{}, tc.want...), defectLines(w)); diff != "" {
					t.Errorf("defects (-want +got):\n%s", diff)
				}
			}
		})
	}
}
