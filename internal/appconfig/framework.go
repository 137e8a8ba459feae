package appconfig

import (
	"cmp"
	"slices"
	"strings"
)

// Framework answers for the health endpoints of Micronaut and Quarkus, which ask whatever clients the application is configured
// with. ok is false when neither is configured in the bundle, or the path is none of theirs.
func Framework(c Container, urlPath string) (answer Answer, ok bool) {
	urlPath, _, _ = strings.Cut(urlPath, "?")
	urlPath = strings.TrimSuffix(urlPath, "/")
	var p propertySet
	switch {
	case c.names("MICRONAUT_", "DATASOURCES_", "ENDPOINTS_HEALTH_") && urlPath == "/health":
		p = springProperties(c) // the same sources, by the same names
		return micronaut(p), true
	case c.names("QUARKUS_") && slices.Contains([]string{"/q/health", "/q/health/ready", "/health", "/health/ready"}, urlPath):
		p = springProperties(c)
		return quarkus(p), true
	}
	return Answer{}, false
}

func (c *Container) names(prefixes ...string) bool {
	return slices.ContainsFunc(c.Variables, func(v Setting) bool {
		return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(v.Name, prefix) })
	})
}

// micronaut: every indicator counts, unless DOWN is mapped to a status that is none of an error
// (docs.micronaut.io, endpoints.health.status.http-mapping).
func micronaut(p propertySet) Answer {
	if mapped, ok := p[fold("endpoints.health.status.http-mapping.down")]; ok && strings.HasPrefix(mapped.value, "2") {
		step := mapped.step
		step.Text = mapped.name + " is " + mapped.value + ": DOWN is no failure"
		return Answer{Verdict: Local, Proven: true, Steps: []Step{step}}
	}
	return configured(p, []client{
		{"datasources.default.url", "the database", "endpoints.health.jdbc.enabled"},
		{"redis.uri", "Redis", "redis.health.enabled"},
		{"mongodb.uri", "MongoDB", "endpoints.health.mongodb.enabled"},
		{"kafka.bootstrap.servers", "Kafka", "kafka.health.enabled"},
		{"rabbitmq.uri", "RabbitMQ", "rabbitmq.health.enabled"},
		{"elasticsearch.httphosts", "Elasticsearch", "endpoints.health.elasticsearch.enabled"},
	})
}

// quarkus: the extensions add readiness checks, each with a switch (quarkus.io/guides/all-config, *.health.enabled).
func quarkus(p propertySet) Answer {
	return configured(p, []client{
		{"quarkus.datasource.jdbc.url", "the database", "quarkus.datasource.health.enabled"},
		{"quarkus.datasource.reactive.url", "the database", "quarkus.datasource.health.enabled"},
		{"quarkus.redis.hosts", "Redis", "quarkus.redis.health.enabled"},
		{"quarkus.mongodb.connection-string", "MongoDB", "quarkus.mongodb.health.enabled"},
		{"quarkus.elasticsearch.hosts", "Elasticsearch", "quarkus.elasticsearch.health.enabled"},
		{"quarkus.kafka-streams.bootstrap-servers", "Kafka", "quarkus.kafka-streams.health.enabled"},
	})
}

// client is a property that names a server, and the switch of its health check.
type client struct{ address, product, enabled string }

func configured(p propertySet, clients []client) Answer {
	answer := Answer{}
	for _, row := range clients {
		v, ok := p[fold(row.address)]
		if !ok || p.value(row.enabled) == "false" {
			continue
		}
		found, remote := server(v.value, row.product)
		if v.known && !remote {
			continue
		}
		if !v.known {
			found = Server{}
		}
		found.Product = cmp.Or(found.Product, row.product)
		step := v.step
		step.Text = Setting{Name: v.name, Value: v.value, Known: v.known}.is()
		answer.Verdict = Depends
		answer.Servers = append(answer.Servers, found)
		answer.Steps = append(answer.Steps, step)
	}
	return answer
}
