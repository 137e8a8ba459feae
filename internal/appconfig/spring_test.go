package appconfig

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func env(name, value string) Setting {
	return Setting{Name: name, Value: value, Known: true, Exact: true}
}

func arg(value string) Setting { return Setting{Name: "args", Value: value, Known: true} }

const group = "MANAGEMENT_ENDPOINT_HEALTH_GROUP_LIVENESS_"

func TestSpringAnswersForTheHealthGroupOfAPath(t *testing.T) {
	t.Parallel()
	const (
		all = "depends proven any health indicator of the application (database, Redis, broker, mail)"
		fix = " " + springInclude + "=" + springState
	)
	database := env("SPRING_DATASOURCE_URL", "jdbc:postgresql://db:5432/x?user=u&password=p")
	for name, tc := range map[string]struct {
		container Container
		path      string
		want      string
	}{
		"the whole endpoint":                    {Container{}, "/actuator/health", all},
		"the whole endpoint with known servers": {Container{Variables: []Setting{database, env("SPRING_DATA_REDIS_HOST", "cache")}}, "/actuator/health", "depends proven PostgreSQL@db:5432 Redis@cache:6379"},
		"an indicator that is switched off":     {Container{Variables: []Setting{database, env("MANAGEMENT_HEALTH_DB_ENABLED", "false"), env("SPRING_MAIL_HOST", "mx")}}, "/actuator/health", "depends proven the mail server@mx:25"},
		"an embedded database":                  {Container{Variables: []Setting{env("SPRING_DATASOURCE_URL", "jdbc:h2:mem:x")}}, "/actuator/health", all},
		"all indicators switched off":           {Container{Variables: []Setting{env("MANAGEMENT_HEALTH_DEFAULTS_ENABLED", "false")}}, "/actuator/health", "local"},
		"the liveness group as it is":           {Container{}, "/actuator/health/liveness", "local"},
		"a slash at the end":                    {Container{}, "/actuator/health/liveness/", "local"},
		"a context path before":                 {Container{}, "/shop/actuator/health/liveness", "local"},
		"the readiness group as it is":          {Container{}, "/actuator/health/readiness", "local"},
		"a group that is not configured":        {Container{}, "/actuator/health/mine", "undecided"},
		"include of the state alone":            {Container{Variables: []Setting{env(group+"INCLUDE", "livenessState, ping")}}, "/actuator/health/liveness", "local"},
		"include of everything":                 {Container{Variables: []Setting{env(group+"INCLUDE", "*")}}, "/actuator/health/liveness", all + fix},
		"include of the database":               {Container{Variables: []Setting{env(group+"INCLUDE", "livenessState,db"), database}}, "/actuator/health/liveness", "depends proven PostgreSQL@db:5432" + fix},
		"include and exclude of the database":   {Container{Variables: []Setting{env(group+"INCLUDE", "livenessState,db"), env(group+"EXCLUDE", "db")}}, "/actuator/health/liveness", "local"},
		"an indicator of the application":       {Container{Variables: []Setting{env(group+"INCLUDE", "livenessState,billing")}}, "/actuator/health/liveness", "depends what the health indicator billing asks" + fix},
		"show-details without include":          {Container{Variables: []Setting{env(group+"SHOWDETAILS", "always")}}, "/actuator/health/liveness", all + fix},
		"show-details spelt with a dash's line": {Container{Variables: []Setting{env(group+"SHOW_DETAILS", "always")}}, "/actuator/health/liveness", all + fix},
		"show-details of the other group":       {Container{Variables: []Setting{env("MANAGEMENT_ENDPOINT_HEALTH_GROUP_READINESS_SHOWDETAILS", "always")}}, "/actuator/health/liveness", "local"},
		"show-details of the whole":             {Container{Variables: []Setting{env("MANAGEMENT_ENDPOINT_HEALTH_SHOWDETAILS", "always")}}, "/actuator/health/liveness", "local"},
		"an additional path without include":    {Container{Variables: []Setting{env(group+"ADDITIONALPATH", "server:/livez")}}, "/livez", all + fix},
		"an additional path with include":       {Container{Variables: []Setting{env(group+"ADDITIONALPATH", "server:/livez"), env(group+"INCLUDE", "livenessState")}}, "/livez", "local"},
		"another path than the additional one":  {Container{Variables: []Setting{env(group+"ADDITIONALPATH", "server:/livez")}}, "/healthz", "none"},
		"the safe switch for additional paths":  {Container{Variables: []Setting{env("MANAGEMENT_ENDPOINT_HEALTH_PROBES_ADDADDITIONALPATHS", "true")}}, "/livez", "local"},
		"a readiness group with a database":     {Container{Variables: []Setting{env("MANAGEMENT_ENDPOINT_HEALTH_GROUP_READINESS_INCLUDE", "readinessState,db"), database}}, "/actuator/health/readiness", "depends proven PostgreSQL@db:5432"},
		"a system property":                     {Container{Variables: []Setting{env("JAVA_TOOL_OPTIONS", "-Xmx1g -Dmanagement.endpoint.health.group.liveness.include=*")}}, "/actuator/health/liveness", all},
		"JSON in the environment":               {Container{Variables: []Setting{env("SPRING_APPLICATION_JSON", `{"management":{"endpoint":{"health":{"group":{"liveness":{"include":["livenessState","redis"]}}}}}}`)}}, "/actuator/health/liveness", "depends proven Redis"},
		"JSON that cannot be read":              {Container{Variables: []Setting{env("SPRING_APPLICATION_JSON", `{"management`)}}, "/actuator/health/liveness", "local"},
		"an argument wins over all":             {Container{Arguments: []Setting{arg("--management.endpoint.health.group.liveness.include=livenessState")}, Variables: []Setting{env(group+"INCLUDE", "*")}}, "/actuator/health/liveness", "local"},
		"a system property wins over env":       {Container{Arguments: []Setting{arg("java -Dmanagement.endpoint.health.group.liveness.include=livenessState -jar x.jar")}, Variables: []Setting{env(group+"INCLUDE", "*")}}, "/actuator/health/liveness", "local"},
		"a value that is not here":              {Container{Variables: []Setting{{Name: group + "INCLUDE", Value: "…"}}}, "/actuator/health/liveness", "undecided"},
		"another base path":                     {Container{Arguments: []Setting{arg("--management.endpoints.web.base-path=/ops")}}, "/ops/health/liveness", "local"},
		"another name of the endpoint":          {Container{Variables: []Setting{env("MANAGEMENT_ENDPOINTS_WEB_PATHMAPPING_HEALTH", "state")}}, "/actuator/state", all},
		"properties that are mounted":           {Container{Files: []Setting{file("/app/config/application.properties", "# x\nmanagement.endpoint.health.group.liveness.include: livenessState,\\\n  db\n")}}, "/actuator/health/liveness", "depends proven the database" + fix},
		"YAML that is mounted":                  {Container{Files: []Setting{file("/app/config/application.yml", "management:\n  endpoint.health.group.liveness:\n    show-details: always\n")}}, "/actuator/health/liveness", all + fix},
		"a file that may not be read":           {Container{Files: []Setting{file("/elsewhere/application.yml", "management.endpoint.health.group.liveness.include: db\n")}}, "/actuator/health/liveness", "depends the database" + fix},
		"a document for another profile":        {Container{Files: []Setting{file("/config/application.yml", "a: b\n---\nspring.config.activate.on-profile: prod\nmanagement.endpoint.health.group.liveness.include: db\n")}}, "/actuator/health/liveness", "local"},
		"a document for this profile":           {Container{Variables: []Setting{env("SPRING_PROFILES_ACTIVE", "prod")}, Files: []Setting{file("/config/application.yml", "a: b\n---\nspring.config.activate.on-profile: prod\nmanagement.endpoint.health.group.liveness.include: db\n")}}, "/actuator/health/liveness", "depends proven the database" + fix},
		"a file of this profile wins":           {Container{Variables: []Setting{env("SPRING_PROFILES_ACTIVE", "prod")}, Files: []Setting{file("/config/application.yml", "management.endpoint.health.group.liveness.include: db\n"), file("/config/application-prod.yml", "management.endpoint.health.group.liveness.include: ping\n")}}, "/actuator/health/liveness", "local"},
		"YAML that cannot be read":              {Container{Files: []Setting{file("/config/application.yml", "a: [\n")}}, "/actuator/health/liveness", "local"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			framework := len(tc.path) > 9 && (tc.path[:9] == "/actuator" || tc.path[:5] == "/shop")
			if diff := cmp.Diff(tc.want, said(Spring(tc.container, tc.path, framework))); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSpringSaysWhereAGroupIsConfigured(t *testing.T) {
	t.Parallel()
	text := "spring:\n  mail:\n    host: mx\nmanagement:\n  endpoint:\n    health:\n      group:\n        liveness:\n          additional-path: server:/livez\n"
	answer, _ := Spring(Container{Files: []Setting{file("/config/application.yaml", text)}}, "/livez", false)
	var got []string
	for _, s := range answer.Steps {
		got = append(got, s.Setting.Value[s.From:s.To]+" | "+s.Text)
	}
	want := []string{
		"additional-path: server:/livez | the health group liveness is served at /livez",
		"additional-path: server:/livez | management.endpoint.health.group.liveness.additional-path configures the health group liveness without include, so it holds every indicator",
		"host: mx | spring.mail.host is mx",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

func FuzzSpring(f *testing.F) {
	f.Add("management:\n  endpoint: {health: {group: {liveness: {include: '*'}}}}\n", "{}", "/actuator/health/liveness")
	f.Fuzz(func(_ *testing.T, text, value, path string) {
		Spring(Container{
			Variables: []Setting{env("SPRING_APPLICATION_JSON", value), env("JAVA_TOOL_OPTIONS", value)},
			Files:     []Setting{file("/config/application.yml", text), file("/config/application.properties", text)},
		}, path, true)
	})
}
