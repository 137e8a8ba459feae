package facts

import "strings"

// Launch is what makes an exec probe slow however healthy its target is.
type Launch struct {
	// Program is the first of the probe's programs that is known to be slow to start; "" when none is.
	Program string `json:"program"`
	// Runtime is what it brings up each time.
	Runtime string `json:"runtime" jsonschema:"enum=,enum=jvm,enum=erlang,enum=python,enum=node,enum=ruby,enum=php,enum=dotnet,enum=javascript,enum=session"`
}

// slowPrograms are programs that need a runtime or a session for every call, by base name. Kubernetes has counted a
// timed-out exec as a failure since 1.20; the programs are those whose probes broke then, and their kin. Small native clients
// that ping (redis-cli, pg_isready, mysqladmin) are not among them.
//
//nolint:gochecknoglobals // an immutable table; the linker lays it out, nothing runs at start-up
var slowPrograms = [...]struct{ runtime, names string }{
	{"jvm", "java jcmd jstat jps nodetool sstableutil cypher-shell neo4j-admin zkServer.sh zkCli.sh zookeeper-shell zookeeper-shell.sh " +
		"pulsar-admin pulsar-client pulsar hdfs hadoop yarn-daemon hbase beeline spark-submit solr nifi.sh activemq artemis jboss-cli.sh " +
		"asadmin kcadm.sh kc.sh elasticsearch-croneval presto trino schema-registry-run-class groovy"},
	{"erlang", "rabbitmqctl rabbitmq-diagnostics rabbitmq-queues rabbitmq-upgrade rabbitmq-plugins ejabberdctl emqx emqx_ctl vmq-admin vernemq " +
		"riak riak-admin elixir mix erl"},
	{"python", "python python2 python3 manage.py django-admin celery airflow superset sentry snuba flask cqlsh couchbase-cli rabbitmqadmin " +
		"patronictl aws gcloud gsutil az rqinfo rq ceph supervisorctl litestar pgadmin salt-call ansible openstack ckan odoo"},
	{"node", "node nodejs npm npx yarn pnpm tsx ts-node mongosh strapi medusa"},
	{"ruby", "ruby rails rake bundle gitlab-rails gitlab-rake gitlab-ctl sidekiqmon puppet puppetserver pumactl jruby"},
	{"php", "php artisan drush wp occ magento"},
	{"dotnet", "dotnet pwsh powershell"},
	{"javascript", "mongo"},
	{"session", "psql mysql mariadb clickhouse-client sqlcmd sqlplus db2 isql ysqlsh gsql"},
}

// launchOf finds what is slow to start among programs.
func launchOf(programs []string) Launch {
	for _, p := range programs {
		if runtime := runtimeOf(p); runtime != "" {
			return Launch{Program: p, Runtime: runtime}
		}
	}
	return Launch{}
}

func runtimeOf(program string) string {
	if strings.HasPrefix(program, "kafka-") && program != "kafka-exporter" {
		return "jvm"
	}
	// python3.12 is Python.
	if version, ok := strings.CutPrefix(program, "python"); ok && strings.Trim(version, "0123456789.") == "" {
		return "python"
	}
	for _, row := range slowPrograms {
		for name := range strings.FieldsSeq(row.names) {
			if name == program {
				return row.runtime
			}
		}
	}
	return ""
}
