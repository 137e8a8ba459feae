package reach_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The forms in which each client names its server: its own default, -h x, -hx, --host=x, --host x, its variables, its DSNs.
//
//nolint:misspell // the broker is spelled so
func TestEveryClientKnowsItsDefaultAndItsForms(t *testing.T) {
	t.Parallel()
	const (
		set   = " [StatefulSet orders-db] via "
		fails = " decides: the probe fails"
	)
	for command, want := range map[string][]string{
		// PostgreSQL's other programs
		"pg_dump -s -t orders -h orders-db shop":     {"service orders-db:5432 (PostgreSQL)" + set + "pg_dump" + fails},
		"pg_dump -s shop":                            {"self :5432 (PostgreSQL) via pg_dump" + fails},
		"pg_dumpall --host=orders-db -g":             {"service orders-db:5432 (PostgreSQL)" + set + "pg_dumpall" + fails},
		"vacuumdb --host orders-db -p 6432 -a":       {"service orders-db:6432 (PostgreSQL)" + set + "vacuumdb" + fails},
		"psql -tA -h orders-db -c 'select 1'":        {"service orders-db:5432 (PostgreSQL)" + set + "psql decides: the probe exits 2"},
		"psql -t -h orders-db":                       {"service orders-db:5432 (PostgreSQL)" + set + "psql decides: the probe exits 2"},
		"PGHOSTADDR=10.1.2.3 psql -l":                {"external 10.1.2.3:5432 (PostgreSQL) via psql decides: the probe exits 2"},
		"PGHOST=/run/pg PGPORT=6432 pg_isready":      {"self (PostgreSQL) via pg_isready decides: the probe exits 2"},
		"pg_isready -h 127.0.0.1 -t 1 -p 5432":       {"self 127.0.0.1:5432 (PostgreSQL) via pg_isready decides: the probe exits 2"},
		"pg_isready -d postgres://u@orders-db:6432":  {"service orders-db:6432 (PostgreSQL)" + set + "pg_isready decides: the probe exits 2"},
		"psql 'postgresql:///shop?host=/tmp'":        {"self (PostgreSQL) via psql decides: the probe exits 2"},
		"psql 'postgresql:///shop?host=orders-db'":   {"service orders-db:5432 (PostgreSQL)" + set + "psql decides: the probe exits 2"},
		"pgbench -c 4 -T 1 -h orders-db shop":        {"service orders-db:5432 (PostgreSQL)" + set + "pgbench" + fails},
		"cockroach sql --url postgres://orders-db:1": {"service orders-db:1 (PostgreSQL)" + set + "cockroach" + fails},
		"cockroach node status --host=orders-db":     {"service orders-db:26257 (CockroachDB)" + set + "cockroach" + fails},
		"cockroach node status --insecure":           {"self :26257 (CockroachDB) via cockroach" + fails},
		"COCKROACH_HOST=orders-db cockroach sql":     {"service orders-db:26257 (CockroachDB)" + set + "cockroach" + fails},
		// MySQL
		"mysql -N -s -h orders-db -e 'select 1'":     {"service orders-db:3306 (MySQL)" + set + "mysql" + fails},
		"mysqladmin -w -h orders-db ping":            {"service orders-db:3306 (MySQL)" + set + "mysqladmin decides: the probe exits 1"},
		"mysqladmin --host orders-db --port 33 ping": {"service orders-db:33 (MySQL)" + set + "mysqladmin decides: the probe exits 1"},
		"mysqladmin --connect-timeout 2 -p ping":     {"self :3306 (MySQL) via mysqladmin decides: the probe exits 1"},
		"mysqlcheck -A -horders-db":                  {"service orders-db:3306 (MySQL)" + set + "mysqlcheck" + fails},
		"MYSQL_HOST=orders-db mysql -e x":            {"service orders-db:3306 (MySQL)" + set + "mysql" + fails},
		// coordination, queues
		"zookeeper-shell orders-db:2181 ls /":         {"service orders-db:2181 (ZooKeeper)" + set + "zookeeper-shell" + fails},
		"zkCli.sh -server orders-db:2181 ls /":        {"service orders-db:2181 (ZooKeeper)" + set + "zkCli.sh" + fails},
		"zkCli.sh ls /":                               {"self :2181 (ZooKeeper) via zkCli.sh" + fails},
		"zkServer.sh status":                          {"self :2181 (ZooKeeper) via zkServer.sh" + fails},
		"pulsar-admin --admin-url http://orders-db:1": {"service orders-db:1 (Pulsar)" + set + "pulsar-admin" + fails},
		"pulsar-admin brokers healthcheck":            {"unknown … (Pulsar) via pulsar-admin decides likely: the probe fails"},
		"rabbitmqadmin list queues":                   {"self :15672 (RabbitMQ) via rabbitmqadmin" + fails},
		"rabbitmqadmin -H orders-db list queues":      {"service orders-db:15672 (RabbitMQ)" + set + "rabbitmqadmin" + fails},
		"nats -s nats://orders-db:4222 rtt":           {"service orders-db:4222 (NATS)" + set + "nats" + fails},
		"NATS_URL=nats://localhost nats rtt":          {"self localhost:4222 (NATS) via nats" + fails},
		"nats rtt":                                    {"unknown … (NATS) via nats decides likely: the probe fails"},
		"mosquitto_sub -h orders-db -t x -C 1 -W 3":   {"service orders-db:1883 (MQTT)" + set + "mosquitto_sub" + fails},
		"mosquitto_pub -t x -m y":                     {"self :1883 (MQTT) via mosquitto_pub" + fails},
		"mosquitto_pub -L mqtt://u:p@orders-db/x":     {"service orders-db:1883 (MQTT)" + set + "mosquitto_pub" + fails},
		"kcat -b orders-db:9092,orders-db:9093 -L":    {"service orders-db:9092 (Kafka)" + set + "kcat" + fails, "service orders-db:9093 (Kafka)" + set + "kcat" + fails},
		"kafka-topics --list":                         {"unknown … (Kafka) via kafka-topics decides likely: the probe fails"},
		"ETCDCTL_ENDPOINTS=orders-db:1 etcdctl get k": {"service orders-db:1 (etcd)" + set + "etcdctl decides: the probe exits 1"},
		"consul operator raft list-peers":             {"self :8500 (Consul) via consul" + fails, "external (the Consul servers) via consul" + fails},
		"CONSUL_HTTP_ADDR=orders-db:8500 consul info": {"service orders-db:8500 (Consul)" + set + "consul" + fails},
		"nomad node status":                           {"self :4646 (Nomad) via nomad" + fails},
		"nomad node status -address=http://orders-db": {"service orders-db:80 (Nomad)" + set + "nomad" + fails},
		"NOMAD_ADDR=http://orders-db:4646 nomad job":  {"service orders-db:4646 (Nomad)" + set + "nomad" + fails},
		"temporal operator cluster health":            {"self :7233 (Temporal) via temporal" + fails},
		"tctl --address orders-db:7233 cluster h":     {"service orders-db:7233 (Temporal)" + set + "tctl" + fails},
		"TEMPORAL_ADDRESS=orders-db:1 temporal x":     {"service orders-db:1 (Temporal)" + set + "temporal" + fails},
		// stores
		"cypher-shell -u neo4j 'return 1'":              {"self :7687 (Neo4j) via cypher-shell" + fails},
		"cypher-shell -a bolt://orders-db:7687 x":       {"service orders-db:7687 (Neo4j)" + set + "cypher-shell" + fails},
		"NEO4J_URI=neo4j://orders-db cypher-shell x":    {"service orders-db:7687 (Neo4j)" + set + "cypher-shell" + fails},
		"memcached-tool orders-db:11211 stats":          {"service orders-db:11211 (Memcached)" + set + "memcached-tool" + fails},
		"memcping --servers=localhost":                  {"self localhost:11211 (Memcached) via memcping" + fails},
		"MEMCACHED_SERVERS=orders-db memcstat":          {"service orders-db:11211 (Memcached)" + set + "memcstat" + fails},
		"clickhouse client -h orders-db -q x":           {"service orders-db:9000 (ClickHouse)" + set + "clickhouse" + fails},
		"clickhouse local -q 'select 1'":                nil,
		"s3cmd --host=orders-db:9000 ls":                {"service orders-db:9000 (Amazon S3)" + set + "s3cmd" + fails},
		"mc ready local":                                {"self localhost:9000 (object storage) via mc" + fails},
		"MC_HOST_x=http://u:p@orders-db:9000 mc ls x/b": {"service orders-db:9000 (object storage)" + set + "mc" + fails},
		"mc ls backup":                                  {"unknown … (object storage) via mc decides likely: the probe fails"},
		"sqlplus -s u/p@//orders-db:1521/x":             {"service orders-db:1521 (Oracle Database)" + set + "sqlplus" + fails},
		"sqlplus / as sysdba":                           {"unknown … (Oracle Database) via sqlplus decides likely: the probe fails"},
		"mongo 10.0.0.9:27017/admin --eval 1":           {"external 10.0.0.9:27017 (MongoDB) via mongo" + fails},
		"mongodump --uri=mongodb://orders-db/x":         {"service orders-db:27017 (MongoDB)" + set + "mongodump" + fails},
		"influx -host orders-db -execute 'show x'":      {"service orders-db:8086 (InfluxDB)" + set + "influx" + fails},
		"CQLSH_HOST=orders-db cqlsh -e x":               {"service orders-db:9042 (Cassandra)" + set + "cqlsh decides: the probe exits 1"},
		// machines and networks
		"docker info": {"self via docker" + fails},
		"DOCKER_HOST=tcp://orders-db:2375 docker ps": {"service orders-db:2375" + set + "docker" + fails},
		"helm list":                                   {"cluster (the Kubernetes API server) via helm" + fails},
		"helm version":                                nil,
		"ssh -p 2222 app@orders-db true":              {"service orders-db:2222" + set + "ssh decides: the probe exits 255"},
		"traceroute -m 3 orders-db":                   {"service orders-db" + set + "traceroute" + fails},
		"showmount -e orders-db":                      {"service orders-db (NFS)" + set + "showmount" + fails},
		"rpcinfo -p":                                  {"self :111 (RPC) via rpcinfo" + fails},
		"ntpdate -q orders-db":                        {"service orders-db:123" + set + "ntpdate" + fails},
		"snmpget -v 2c -c public orders-db 1.3":       {"service orders-db" + set + "snmpget" + fails},
		"snmpwalk -v2c -c public localhost 1.3":       {"self localhost via snmpwalk" + fails},
		"openssl s_client orders-db:443":              {"service orders-db:443" + set + "openssl" + fails},
		"supervisorctl status":                        {"self via supervisorctl" + fails},
		"rndc -s orders-db status":                    {"service orders-db" + set + "rndc" + fails},
		"rndc status":                                 {"self via rndc" + fails},
		"curl -x http://orders-db:3128 http://a":      {"service orders-db:3128" + set + "curl decides: the probe exits 7"},
		"curl -s http://orders-db/ http://localhost/": {"service orders-db:80" + set + "curl tolerated", "self localhost:80 via curl decides: the probe exits 7"},
		"nc -z orders-db 5432 6432":                   {"service orders-db:5432" + set + "nc decides: the probe exits 1"},
		"nc -zw2 orders-db 5432 6432 80":              {"service orders-db:5432" + set + "nc decides: the probe exits 1"},
		"valkey-cli -t 2 -h orders-db ping":           {"service orders-db:6379 (Redis)" + set + "valkey-cli decides: the probe exits 1"},
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(want, summaries(run(t, shell(command)))); diff != "" {
				t.Errorf("targets (-want +got):\n%s", diff)
			}
		})
	}
}

// The address forms of drivers, as a client's URL variable carries them.
func TestAddressesOfDriversAreRead(t *testing.T) {
	t.Parallel()
	for dsn, want := range map[string][]string{
		"jdbc:postgresql://orders-db:5432/x?user=u&password=p@ss": {"orders-db:5432"},
		"jdbc:mysql://orders-db:3306,cache:3307/x":                {"orders-db:3306", "cache:3307"},
		"jdbc:mysql:loadbalance://orders-db/x":                    {"orders-db:3306"},
		"jdbc:sqlserver://orders-db:1433;password=p@ss":           {"orders-db:1433"},
		"jdbc:oracle:thin:@//orders-db:1521/x":                    {"orders-db:1521"},
		"jdbc:oracle:thin:@orders-db:1521:sid":                    {"orders-db:1521"},
		"jdbc:oracle:thin:u/p@orders-db:1521/x":                   {"orders-db:1521"},
		"jdbc:h2:mem:test":                                        {"unknown"},
		"u:p@ss@tcp(orders-db:3306)/x?timeout=1s":                 {"orders-db:3306"},
		"u:p@unix(/run/mysqld.sock)/x":                            {"local"},
		"amqp://u:p@orders-db:5672/vhost":                         {"orders-db:5672"},
		"amqps://orders-db":                                       {"orders-db:5672"},
		"amqp://u:p@orders-db,amqp://u:p@cache":                   {"orders-db:5672", "cache:5672"},
		"redis+socket:///run/redis.sock":                          {"local"},
		"rediss://:p@orders-db:6380/0":                            {"orders-db:6380"},
		"mongodb://u:p@orders-db,cache:1/x?replicaSet=r":          {"orders-db:27017", "cache:1"},
		"mongodb+srv://u:p@orders-db/x":                           {"orders-db:27017"},
		"sqlite:///var/lib/x.db":                                  {"local"},
		"postgresql+psycopg2://u:p@orders-db/x":                   {"orders-db:5432"},
		"postgres://u@orders-db/x?application_name=a@b":           {"unknown"},
		"postgres://orders-db:5432/x?user=a@b":                    {"orders-db:5432"},
		"postgres://u:p@ss/w@orders-db/x":                         {"unknown"},
		"postgres://u:p/w@orders-db/x":                            {"orders-db:5432"},
		"host=orders-db,cache port=5433 password='x host=y'":      {"orders-db:5433", "cache:5433"},
		"kafka://orders-db:9092,cache:9092":                       {"orders-db:9092", "cache:9092"},
	} {
		t.Run(dsn, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, target := range run(t, command("rq", "info", "-u", "$(DSN)"), "env=[{name: DSN, value: \""+dsn+"\"}]").Targets {
				switch {
				case target.Place == "unknown":
					got = append(got, "unknown")
				case target.Host == "":
					got = append(got, "local")
				default:
					got = append(got, target.Host+":"+target.Port)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("servers (-want +got):\n%s", diff)
			}
		})
	}
}
