package facts

import (
	"path"
	"strings"

	"github.com/hclint/hclint/loader"
)

// SlowStart is why a container is known to start slowly.
type SlowStart struct {
	// Name is what starts ("Keycloak"); "" when the container is not known to be slow.
	Name string `json:"name"`
	// Work is what takes its time at the start.
	Work string `json:"work" jsonschema:"enum=,enum=jvm,enum=recovery,enum=migration,enum=boot,enum=peers"`
	// From is the evidence as it stands in the manifest: the image, or words of the command.
	From string `json:"from"`
}

// slowImages are images, by the last part of their name, that need much longer than 30 s for some starts: a JVM with a big
// application, a database that replays its log after a crash, an application that migrates its schema or installs itself.
// A name matches as a whole, so that mysql-exporter is no database.
//
//nolint:gochecknoglobals // an immutable table; the linker lays it out, nothing runs at start-up
var slowImages = [...]struct{ name, work, images string }{
	{"Keycloak", "jvm", "keycloak keycloakx"},
	{"SonarQube", "jvm", "sonarqube"},
	{"Nexus", "jvm", "nexus nexus3 nexus-iq-server"},
	{"Artifactory", "jvm", "artifactory artifactory-pro artifactory-oss artifactory-jcr artifactory-cpp-ce"},
	{"Elasticsearch", "jvm", "elasticsearch elasticsearch-oss"},
	{"OpenSearch", "jvm", "opensearch"},
	{"Logstash", "jvm", "logstash logstash-oss"},
	{"Solr", "jvm", "solr"},
	{"Cassandra", "jvm", "cassandra"},
	{"Neo4j", "jvm", "neo4j"},
	{"Kafka", "recovery", "kafka cp-kafka cp-server"},
	{"Jenkins", "jvm", "jenkins"},
	{"Confluence", "jvm", "confluence confluence-server"},
	{"Jira", "jvm", "jira jira-software jira-servicemanagement"},
	{"Bitbucket", "jvm", "bitbucket bitbucket-server"},
	{"WildFly", "jvm", "wildfly jboss-eap"},
	{"Tomcat", "jvm", "tomcat tomee"},
	{"Payara", "jvm", "payara glassfish"},
	{"Liberty", "jvm", "websphere-liberty open-liberty"},
	{"Liferay", "jvm", "liferay portal liferay-portal dxp"},
	{"NiFi", "jvm", "nifi"},
	{"Gerrit", "jvm", "gerrit"},
	{"Graylog", "jvm", "graylog"},
	{"DSpace", "jvm", "dspace"},
	{"Druid", "jvm", "druid"},
	{"GeoServer", "jvm", "geoserver"},
	{"WebLogic", "jvm", "weblogic"},
	{"ActiveMQ", "jvm", "activemq activemq-classic activemq-artemis artemis"},
	{"Trino", "jvm", "trino"},
	{"Metabase", "jvm", "metabase"},
	{"Camunda", "jvm", "camunda-bpm-platform camunda zeebe"},
	{"ThingsBoard", "jvm", "tb-node tb-postgres tb-cassandra"},
	{"RabbitMQ", "peers", "rabbitmq"},
	{"Oracle Database", "recovery", "oracle-xe oracle-free oracle-database"},
	{"Db2", "recovery", "db2"},
	{"MySQL", "recovery", "mysql mysql-server percona percona-server percona-xtradb-cluster"},
	{"MariaDB", "recovery", "mariadb mariadb-galera"},
	{"PostgreSQL", "recovery", "postgres postgresql postgresql-repmgr timescaledb postgis pgvector spilo"},
	{"MongoDB", "recovery", "mongo mongodb mongodb-sharded percona-server-mongodb"},
	{"SQL Server", "recovery", "mssql-server mssql azure-sql-edge"},
	{"InfluxDB", "recovery", "influxdb"},
	{"GitLab", "boot", "gitlab-ce gitlab-ee gitlab-webservice-ce gitlab-webservice-ee"},
	{"Magento", "migration", "magento"},
	{"Odoo", "migration", "odoo"},
	{"Discourse", "migration", "discourse"},
	{"Moodle", "migration", "moodle"},
	{"Nextcloud", "migration", "nextcloud"},
	{"ownCloud", "migration", "owncloud"},
	{"OpenProject", "migration", "openproject"},
}

// migrations are words of a command that change a schema before the application serves.
func migrations() []string {
	return []string{
		"db:migrate", "manage.py migrate", "django-admin migrate", "artisan migrate", "alembic upgrade", "prisma migrate deploy", "knex migrate:latest",
		"flask db upgrade", "airflow db migrate", "airflow db upgrade", "superset db upgrade", "sequelize db:migrate", "typeorm migration:run",
		"flyway migrate", "liquibase update", "rails db:prepare", "doctrine:migrations:migrate", "goose up", "dbmate up", "diesel migration run",
	}
}

// slowStart looks for a known slow starter in a container's node.
func slowStart(n loader.Node) SlowStart {
	command := words(n.Get(keyCommand)) + " " + words(n.Get("args"))
	for _, m := range migrations() {
		if strings.Contains(command, m) {
			return SlowStart{Name: "an application that migrates its schema first", Work: "migration", From: m}
		}
	}
	image := n.Get("image").Text()
	name := imageName(image)
	for i := range slowImages {
		row := &slowImages[i]
		for candidate := range strings.FieldsSeq(row.images) {
			// Bitnami and others run init and side jobs from the same image with a command of their own.
			if name == candidate && !n.Get(keyCommand).Present() || name == candidate && startsItself(command, name) {
				return SlowStart{Name: row.name, Work: row.work, From: image}
			}
		}
	}
	if evidence := javaEvidence(n, command, name); evidence != "" {
		return SlowStart{Name: "a Java application", Work: "jvm", From: evidence}
	}
	return SlowStart{}
}

// javaEvidence is what shows that a JVM starts: the command, a variable that only a JVM reads, an image of a JVM.
func javaEvidence(n loader.Node, command, image string) string {
	if startsJava(command) {
		return "java"
	}
	for _, e := range n.Get("env").Items() {
		switch name := e.Get("name").Text(); name {
		case "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "JAVA_OPTS", "CATALINA_OPTS", "SPRING_PROFILES_ACTIVE",
			"SPRING_APPLICATION_JSON", "SPRING_CONFIG_LOCATION", "SPRING_CONFIG_ADDITIONAL_LOCATION":
			return name
		default:
			// Spring Boot alone reads these.
			if strings.HasPrefix(name, "SPRING_DATASOURCE_") || strings.HasPrefix(name, "MANAGEMENT_ENDPOINT") {
				return name
			}
		}
	}
	switch image {
	case "openjdk", "eclipse-temurin", "amazoncorretto", "jetty", "ibm-semeru-runtimes":
		return image
	}
	return ""
}

// startsItself reports whether a command written over an image's own still starts what the image is for.
func startsItself(command, name string) bool {
	for _, word := range []string{name, "entrypoint", "run.sh", "start", "server", "mysqld", "mongod", "kc.sh"} {
		if strings.Contains(command, word) {
			return true
		}
	}
	return false
}

func startsJava(command string) bool {
	for word := range strings.FieldsSeq(command) {
		if path.Base(word) == "java" {
			return true
		}
	}
	return false
}

func words(list loader.Node) string {
	var out []string
	for _, w := range list.Items() {
		out = append(out, w.Text())
	}
	return strings.Join(out, " ")
}

// imageName is the last part of an image's name, without registry, tag and digest: "keycloak" of quay.io/keycloak/keycloak:26.
func imageName(image string) string {
	image, _, _ = strings.Cut(image, "@")
	image = path.Base(image)
	image, _, _ = strings.Cut(image, ":")
	return strings.ToLower(image)
}
