package appconfig

import (
	"cmp"
	"slices"
	"strings"
)

// The variable that leaves a liveness group with the state of the process alone.
const (
	springInclude = "MANAGEMENT_ENDPOINT_HEALTH_GROUP_LIVENESS_INCLUDE"
	springState   = "livenessState"
)

// anyIndicator stands for what a health endpoint of Spring Boot asks when nothing in the bundle says more.
const anyIndicator = "any health indicator of the application (database, Redis, broker, mail)"

// MentionsSpring reports whether a container may configure health endpoints of Spring Boot, so that Spring is worth asking for
// paths that look like any other.
func MentionsSpring(c Container) bool {
	for _, v := range c.Variables {
		switch {
		case strings.HasPrefix(v.Name, "MANAGEMENT_"), v.Name == "SPRING_APPLICATION_JSON", strings.Contains(v.Value, "-Dmanagement."):
			return true
		}
	}
	for _, a := range c.Arguments {
		if strings.Contains(a.Value, "management.") {
			return true
		}
	}
	return slices.ContainsFunc(c.Files, func(f Setting) bool {
		return strings.Contains(f.Name, "/application") && strings.Contains(f.Value, "management")
	})
}

// Spring says what a path of a Spring Boot application asks: all health indicators, or those of a group. framework is true when
// the path is known to be Spring's. ok is false when the configuration does not make it one of Spring's.
func Spring(c Container, urlPath string, framework bool) (answer Answer, ok bool) {
	p := springProperties(c)
	urlPath, _, _ = strings.Cut(urlPath, "?")
	urlPath = strings.TrimSuffix(urlPath, "/")
	group, served, ok := p.group(urlPath, framework)
	if !ok {
		return Answer{}, false
	}
	s := &spring{propertySet: p, container: c}
	switch group {
	case "":
		answer = s.all(nil)
		answer.Steps = append(served, answer.Steps...)
	default:
		answer = s.members(group)
		answer.Steps = append(served, answer.Steps...)
	}
	answer.Group = group
	return answer, true
}

// group finds the health group that a path shows, "" for the whole.
func (p propertySet) group(urlPath string, framework bool) (name string, steps []Step, ok bool) {
	if name, steps, ok = p.additional(urlPath); ok {
		return name, steps, true
	}
	base, mapped := p[fold("management.endpoints.web.base-path")], p[fold("management.endpoints.web.path-mapping.health")]
	own := "/" + strings.Trim(cmp.Or(base.value, "/actuator"), "/")
	own = strings.TrimSuffix(own, "/") + "/" + strings.Trim(cmp.Or(mapped.value, "health"), "/")
	endpoints := []string{}
	if framework || base.value != "" || mapped.value != "" {
		endpoints = append(endpoints, own)
	}
	if framework {
		endpoints = append(endpoints, "/health")
	}
	for _, endpoint := range endpoints {
		if at := strings.LastIndex(urlPath+"/", endpoint+"/"); at >= 0 {
			return strings.ToLower(strings.Trim(urlPath[min(at+len(endpoint), len(urlPath)):], "/")), nil, true
		}
	}
	return "", nil, false
}

// additional finds the group that is served at a path of its own.
func (p propertySet) additional(urlPath string) (name string, steps []Step, ok bool) {
	const groups = "management.endpoint.health.group."
	for _, rest := range p.below(groups) {
		name, isPath := strings.CutSuffix(rest, "additionalpath")
		if !isPath {
			continue
		}
		entry := p[fold(groups)+rest]
		if _, at, ok := strings.Cut(entry.value, ":"); ok && strings.TrimSuffix(at, "/") == urlPath {
			step := entry.step
			step.Text = "the health group " + name + " is served at " + urlPath
			return name, []Step{step}, true
		}
	}
	if p.value("management.endpoint.health.probes.add-additional-paths") == "true" {
		switch urlPath {
		case "/livez":
			return "liveness", nil, true
		case "/readyz":
			return "readiness", nil, true
		}
	}
	return "", nil, false
}

// spring answers from the properties of one container.
type spring struct {
	propertySet
	container Container
}

// members answers for a group: what it includes, or, where it is configured without include, every indicator.
func (s *spring) members(group string) Answer {
	prefix := "management.endpoint.health.group." + group + "."
	configured := s.below(prefix)
	if len(configured) == 0 {
		switch group {
		case "liveness", "readiness":
			return Answer{Verdict: Local}
		}
		return Answer{}
	}
	excluded := splitList(s.value(prefix + "exclude"))
	include, ok := s.propertySet[fold(prefix+"include")]
	if !ok {
		if !slices.ContainsFunc(configured, func(k string) bool { return k != "exclude" }) && len(excluded) == 0 {
			return Answer{Verdict: Local}
		}
		cause := s.propertySet[fold(prefix)+configured[0]]
		answer := s.all(excluded)
		answer.Proven = answer.Proven && cause.sure || cause.sure && answer.Verdict == Depends
		step := cause.step
		step.Text = cause.name + " configures the health group " + group + " without include, so it holds every indicator"
		answer.Steps = append([]Step{step}, answer.Steps...)
		answer.fix(group)
		return answer
	}
	return s.included(group, include, excluded)
}

func (a *Answer) fix(group string) {
	if a.Verdict == Depends && group == "liveness" {
		a.Variable, a.Value = springInclude, springState
	}
}

// fixUnder is fix where an environment variable wins over the include that stands.
func (a *Answer) fixUnder(include property, group string) {
	if !include.overrules {
		a.fix(group)
	} else {
		a.Variable, a.Value = "", ""
	}
}

// included answers for the indicators that a group lists.
func (s *spring) included(group string, include property, excluded []string) Answer {
	step := include.step
	step.Text = "the health group " + group + " includes " + include.value
	if !include.known {
		return Answer{}
	}
	answer := Answer{Verdict: Local, Proven: include.sure, Steps: []Step{step}}
	var names []string
	for _, name := range splitList(include.value) {
		switch {
		case name == "*":
			answer = s.all(excluded)
			answer.Steps = append([]Step{step}, answer.Steps...)
			answer.Proven = include.sure
			answer.fixUnder(include, group)
			return answer
		case slices.Contains(excluded, name), harmless(name):
		default:
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return answer
	}
	answer.Verdict = Depends
	for _, name := range names {
		server, steps, known := s.indicator(name)
		if !known {
			// An indicator of the application itself: only its code says what it asks.
			answer.Proven = false
		}
		answer.Servers = append(answer.Servers, server)
		answer.Steps = append(answer.Steps, steps...)
	}
	answer.fixUnder(include, group)
	return answer
}

// harmless are the indicators that ask nothing outside the process.
func harmless(name string) bool {
	switch fold(name) {
	case "livenessstate", "readinessstate", "ping", "diskspace", "ssl", "threaddeadlock":
		return true
	}
	return false
}

func splitList(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

// indicators are the auto-configured health indicators with the properties that name their server
// (https://docs.spring.io/spring-boot/reference/actuator/endpoints.html#actuator.endpoints.health.auto-configured-health-indicators).
func indicators() []struct{ name, product, properties, port string } {
	return []struct{ name, product, properties, port string }{
		{"db", "the database", "spring.datasource.url spring.r2dbc.url", ""},
		{"redis", "Redis", "spring.data.redis.url spring.data.redis.host spring.redis.url spring.redis.host", "6379"},
		{"rabbit", "RabbitMQ", "spring.rabbitmq.addresses spring.rabbitmq.host", "5672"},
		{"mongo", "MongoDB", "spring.data.mongodb.uri spring.data.mongodb.host spring.mongodb.uri", "27017"},
		{"elasticsearch", "Elasticsearch", "spring.elasticsearch.uris spring.elasticsearch.rest.uris", "9200"},
		{"mail", "the mail server", "spring.mail.host", "25"},
		{"ldap", "LDAP", "spring.ldap.urls", "389"},
		{"cassandra", "Cassandra", "spring.cassandra.contact-points spring.data.cassandra.contact-points", "9042"},
		{"neo4j", "Neo4j", "spring.neo4j.uri", "7687"},
		{"jms", "the JMS broker", "spring.activemq.broker-url spring.artemis.broker-url", "61616"},
		{"couchbase", "Couchbase", "spring.couchbase.connection-string", ""},
		{"influxdb", "InfluxDB", "spring.influx.url", "8086"},
		{"hazelcast", "Hazelcast", "", ""},
		{"discoverycomposite", "the discovery server", "eureka.client.serviceurl.defaultzone", ""},
		{"kafka", "Kafka", "", ""},
	}
}

// indicator names the server of one indicator.
func (s *spring) indicator(name string) (Server, []Step, bool) {
	for _, row := range indicators() {
		if row.name != fold(name) {
			continue
		}
		v, _ := s.first(row.properties)
		found, remote := server(v.value, row.product)
		if !v.known || !remote {
			return Server{Product: row.product}, nil, true
		}
		found.Port = cmp.Or(found.Port, row.port)
		step := v.step
		step.Text = Setting{Name: v.name, Value: v.value, Known: true}.is()
		return found, []Step{step}, true
	}
	return Server{Product: "what the health indicator " + name + " asks"}, nil, false
}

// all answers for every indicator: those that the bundle shows by name, or their kind.
func (s *spring) all(excluded []string) Answer {
	off := s.value("management.health.defaults.enabled") == "false"
	answer := Answer{Verdict: Depends, Proven: true}
	for _, row := range indicators() {
		enabled := s.value("management.health." + row.name + ".enabled")
		if enabled == "false" || off && enabled != "true" || slices.ContainsFunc(excluded, func(e string) bool { return fold(e) == row.name }) {
			continue
		}
		v, set := s.first(row.properties)
		if _, remote := server(v.value, ""); !set || v.known && !remote {
			continue
		}
		found, steps, _ := s.indicator(row.name)
		answer.Servers = append(answer.Servers, found)
		answer.Steps = append(answer.Steps, steps...)
	}
	if len(answer.Servers) == 0 {
		if off {
			return Answer{Verdict: Local}
		}
		answer.Dependency = anyIndicator
	}
	return answer
}
