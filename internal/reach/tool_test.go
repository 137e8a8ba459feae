package reach_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const db = "service orders-db:5432 (PostgreSQL) [StatefulSet orders-db] via "

// Each row is a command line and what it touches. Every client has at least a local form and a remote one.
func TestClientsAreReadByTheirOwnGrammar(t *testing.T) {
	t.Parallel()
	for command, want := range map[string][]string{
		// PostgreSQL
		"psql -c 'select 1'":                        {"self :5432 (PostgreSQL) via psql decides: the probe exits 2"},
		"psql -h /var/run/postgresql -c 'select 1'": {"self (PostgreSQL) via psql decides: the probe exits 2"},
		"psql -hlocalhost -c 'select 1'":            {"self localhost:5432 (PostgreSQL) via psql decides: the probe exits 2"},
		"psql -horders-db":                          {db + "psql decides: the probe exits 2"},
		"psql -h orders-db -U h":                    {db + "psql decides: the probe exits 2"},
		"psql --host=orders-db --port=5432":         {db + "psql decides: the probe exits 2"},
		"psql --host orders-db":                     {db + "psql decides: the probe exits 2"},
		"psql postgresql://u:p@orders-db/shop -c x": {db + "psql decides: the probe exits 2"},
		"psql 'host=orders-db dbname=shop'":         {db + "psql decides: the probe exits 2"},
		"psql 'host=/tmp dbname=shop'":              {"self (PostgreSQL) via psql decides: the probe exits 2"},
		"psql -d 'host=orders-db port=6432'":        {"service orders-db:6432 (PostgreSQL) [StatefulSet orders-db] via psql decides: the probe exits 2"},
		"psql -U orders-db orders-db":               {"self :5432 (PostgreSQL) via psql decides: the probe exits 2"},
		"PGHOST=orders-db psql -c 'select 1'":       {db + "psql decides: the probe exits 2"},
		"pg_isready":                                {"self :5432 (PostgreSQL) via pg_isready decides: the probe exits 2"},
		"pg_isready -q -d orders-db":                {"self :5432 (PostgreSQL) via pg_isready decides: the probe exits 2"},
		"pg_isready -qh orders-db -p5433":           {"service orders-db:5433 (PostgreSQL) [StatefulSet orders-db] via pg_isready decides: the probe exits 2"},
		"psql --version":                            nil,
		// MySQL
		"mysqladmin ping -psecreth":                {"self :3306 (MySQL) via mysqladmin decides: the probe exits 1"},
		"mysqladmin ping -h mysql.prod.svc":        {"cluster mysql.prod.svc:3306 (MySQL) via mysqladmin decides: the probe exits 1"},
		"mysqladmin -uroot -p\"x\" -hmysql status": {"cluster mysql:3306 (MySQL) via mysqladmin decides: the probe exits 1"},
		"mysql -e 'select 1' --socket=/run/m.sock": {"self :3306 (MySQL) via mysql decides: the probe fails"},
		"mysql --host=10.0.0.5 -P 3307 -e 'x'":     {"external 10.0.0.5:3307 (MySQL) via mysql decides: the probe fails"},
		"mariadb -h127.0.0.1 -e x":                 {"self 127.0.0.1:3306 (MySQL) via mariadb decides: the probe fails"},
		// Redis
		"redis-cli ping": {"self :6379 (Redis) via redis-cli decides: the probe exits 1"},
		"redis-cli -h \"127.0.0.1\" ping | grep -q PONG": {"self 127.0.0.1:6379 (Redis) via redis-cli decides: the probe exits 1"},
		"redis-cli \\\n  -h localhost \\\n  ping":        {"self localhost:6379 (Redis) via redis-cli decides: the probe exits 1"},
		"redis-cli -h cache -a x ping":                   {"service cache:6379 (Redis) [cache.abc.cache.amazonaws.com] via redis-cli decides: the probe exits 1"},
		"redis-cli -u redis://:pw@cache:6380/1 ping":     {"service cache:6380 (Redis) [cache.abc.cache.amazonaws.com] via redis-cli decides: the probe exits 1"},
		"valkey-cli -s /tmp/v.sock ping":                 {"self :6379 (Redis) via valkey-cli decides: the probe exits 1"},
		"test \"$(redis-cli -h cache ping)\" = PONG":     {"service cache:6379 (Redis) [cache.abc.cache.amazonaws.com] via redis-cli decides: the probe exits 1"},
		// MongoDB
		"mongosh --eval 'db.adminCommand(\"ping\")'":         {"self :27017 (MongoDB) via mongosh decides: the probe fails"},
		"mongosh shop --eval x":                              {"self :27017 (MongoDB) via mongosh decides: the probe fails"},
		"mongosh mongodb://u:p@mongo.db.svc:27017/x":         {"cluster mongo.db.svc:27017 (MongoDB) via mongosh decides: the probe fails"},
		"mongo --host rs0/mongo-0.mongo.db.svc --eval x":     {"cluster mongo-0.mongo.db.svc:27017 (MongoDB) via mongo decides: the probe fails"},
		"mongo --quiet mongo.db.svc.cluster.local:27017/adm": {"cluster mongo.db.svc.cluster.local:27017 (MongoDB) via mongo decides: the probe fails"},
		// HTTP
		"curl -f http://localhost:8080/healthz":                     {"self localhost:8080 via curl decides: the probe exits 7"},
		"curl -sS -o /dev/null 127.0.0.1:8080":                      {"self 127.0.0.1:8080 via curl decides: the probe exits 7"},
		"curl -f http://[::1]:8080/":                                {"self ::1:8080 via curl decides: the probe exits 7"},
		"curl --unix-socket /run/api.sock http://orders-db/":        {"self via curl decides: the probe exits 7"},
		"curl http://localhost/ -H 'Host: orders-db'":               {"self localhost:80 via curl decides: the probe exits 7"},
		"curl --resolve x.example:443:127.0.0.1 https://x.example/": {"self 127.0.0.1:443 via curl decides: the probe exits 7"},
		"curl -fsS --max-time 2 https://user:pw@pay.example/":       {"external pay.example:443 via curl decides: the probe exits 7"},
		"curl -f http://api/healthz":                                {"own-service api:80 via curl decides: the probe exits 7"},
		"curl -f https://api.shop.example/healthz":                  {"own-service api.shop.example:443 via curl decides: the probe exits 7"},
		"wget -q --spider http://localhost:3000/":                   {"self localhost:3000 via wget decides: the probe fails"},
		"wget -qO- http://orders-db:8008/health":                    {"service orders-db:8008 [StatefulSet orders-db] via wget decides: the probe fails"},
		"wget -T 2 -O /dev/null orders-db:8008/health":              {"service orders-db:8008 [StatefulSet orders-db] via wget decides: the probe fails"},
		"curl --version": nil,
		// sockets
		"nc -z localhost 8080":                                           {"self localhost:8080 via nc decides: the probe exits 1"},
		"nc -zvw3 orders-db 5432":                                        {"service orders-db:5432 [StatefulSet orders-db] via nc decides: the probe exits 1"},
		"nc -z $EMPTY_ARGS 5432":                                         {"unknown 5432 via nc decides likely: the probe exits 1"},
		"nc -z DB_HOST 5432":                                             {"unknown DB_HOST:5432 via nc decides likely: the probe exits 1"},
		"nc -w 3 -z orders-db 5432":                                      {"service orders-db:5432 [StatefulSet orders-db] via nc decides: the probe exits 1"},
		"echo ruok | nc 127.0.0.1 2181 | grep imok":                      {"self 127.0.0.1:2181 via nc decides: the probe exits 1"},
		"nc -U /run/x.sock":                                              {"self via nc decides: the probe exits 1"},
		"telnet orders-db 5432":                                          {"service orders-db:5432 [StatefulSet orders-db] via telnet decides: the probe fails"},
		"openssl s_client -connect orders-db:5432":                       {"service orders-db:5432 [StatefulSet orders-db] via openssl decides: the probe fails"},
		"openssl x509 -in /tls/tls.crt -checkend 0":                      nil,
		"ping -c 1 orders-db":                                            {"service orders-db [StatefulSet orders-db] via ping decides: the probe exits 1"},
		"ping -c1 127.0.0.1":                                             {"self 127.0.0.1 via ping decides: the probe exits 1"},
		"nmap -p 5432 orders-db | grep open":                             {"service orders-db:5432 [StatefulSet orders-db] via nmap decides: the probe exits 1"},
		"nmap -p 5432 orders-db":                                         {"service orders-db:5432 [StatefulSet orders-db] via nmap tolerated"},
		"socat - TCP:orders-db:5432":                                     {"service orders-db:5432 [StatefulSet orders-db] via socat decides: the probe fails"},
		"exec 3<>/dev/tcp/orders-db/5432":                                {"service orders-db:5432 [StatefulSet orders-db] via /dev/tcp decides: the probe exits 1"},
		"timeout 3 bash -c '</dev/tcp/orders-db/5432'":                   {"service orders-db:5432 [StatefulSet orders-db] via /dev/tcp decides: the probe exits 1"},
		"(echo > /dev/tcp/orders-db/5432) >/dev/null 2>&1":               {"service orders-db:5432 [StatefulSet orders-db] via /dev/tcp decides: the probe exits 1"},
		"cat < /dev/null > /dev/tcp/localhost/80":                        {"self localhost:80 via /dev/tcp decides: the probe exits 1"},
		"grpc_health_probe -addr=localhost:50051":                        {"self localhost:50051 via grpc_health_probe decides: the probe exits 2"},
		"grpc_health_probe -addr :50051 -service h":                      {"self :50051 via grpc_health_probe decides: the probe exits 2"},
		"/bin/grpc_health_probe --addr=orders-db:50051":                  {"service orders-db:50051 [StatefulSet orders-db] via grpc_health_probe decides: the probe exits 2"},
		"grpcurl -plaintext localhost:50051 grpc.health.v1.Health/Check": {"self localhost:50051 via grpcurl decides: the probe fails"},
		"grpcurl -plaintext -d '{}' orders-db:50051 a.b/C":               {"service orders-db:50051 [StatefulSet orders-db] via grpcurl decides: the probe fails"},
		// DNS
		"nslookup orders-db":         {"cluster (DNS) via nslookup decides: the probe fails"},
		"dig @10.96.0.10 orders-db":  {"external 10.96.0.10:53 (DNS) via dig decides: the probe fails"},
		"getent hosts localhost":     nil,
		"getent hosts orders-db":     {"cluster (DNS) via getent decides: the probe exits 2"},
		"getent passwd app":          nil,
		"host example.com 127.0.0.1": {"self 127.0.0.1:53 (DNS) via host decides: the probe fails"},
		// queues and coordination
		"kafka-topics.sh --bootstrap-server localhost:9092 --list":      {"self localhost:9092 (Kafka) via kafka-topics.sh decides: the probe fails"},
		"kafka-broker-api-versions --bootstrap-server=kafka.q.svc:9093": {"cluster kafka.q.svc:9093 (Kafka) via kafka-broker-api-versions decides: the probe fails"},
		"kcat -b kafka.q.svc -L":                                              {"cluster kafka.q.svc:9092 (Kafka) via kcat decides: the probe fails"},
		"rabbitmq-diagnostics -q ping":                                        {"self (RabbitMQ) via rabbitmq-diagnostics decides: the probe exits 69"},
		"rabbitmqctl -n rabbit@localhost status":                              {"self localhost (RabbitMQ) via rabbitmqctl decides: the probe exits 69"},
		"rabbitmq-diagnostics -n rabbit@$(hostname) ping":                     {"self api-5d9c7b8f6d-x7k2p (RabbitMQ) via rabbitmq-diagnostics decides: the probe exits 69"},
		"rabbitmq-diagnostics --node rabbit@rabbit.q.svc ping":                {"cluster rabbit.q.svc (RabbitMQ) via rabbitmq-diagnostics decides: the probe exits 69"},
		"celery -A app inspect ping -d celery@$HOSTNAME":                      {"external (the message broker) via celery decides: the probe fails"},
		"celery --app app.celery status":                                      {"external (the message broker) via celery decides: the probe fails"},
		"celery -A app -b redis://localhost:6379/0 inspect ping":              {"self localhost:6379 (the message broker) via celery decides: the probe fails"},
		"python -m celery -A app inspect ping":                                {"external (the message broker) via celery decides: the probe fails"},
		"celery --version":                                                    nil,
		"celery report":                                                       nil,
		"airflow jobs check --job-type SchedulerJob --local":                  {"external (the metadata database) via airflow decides: the probe fails"},
		"exec /entrypoint airflow jobs check --hostname \"$HOSTNAME\"":        {"external (the metadata database) via airflow decides: the probe fails"},
		"airflow version":                                                     nil,
		"rq info -u redis://cache:6379":                                       {"service cache:6379 (Redis) [cache.abc.cache.amazonaws.com] via rq decides: the probe fails"},
		"rq info -u redis://localhost":                                        {"self localhost:6379 (Redis) via rq decides: the probe fails"},
		"REDIS_URL=redis://cache:6379 sidekiqmon processes":                   {"service cache:6379 (Redis) [cache.abc.cache.amazonaws.com] via sidekiqmon decides: the probe fails"},
		"gitlab-runner verify --url=https://git.example 2>&1 | grep -q alive": {"external git.example:443 (the GitLab server) via gitlab-runner decides: the probe fails"},
		"gitlab-runner verify":                                                {"external (the GitLab server) via gitlab-runner decides: the probe fails"},
		"gitlab-runner --version":                                             nil,
		"python manage.py check --database default":                           {"external (the database) via manage.py decides: the probe fails"},
		"python manage.py check":                                              nil,
		"./manage.py migrate --check":                                         {"external (the database) via manage.py decides: the probe fails"},
		"consul members":                                                      {"self :8500 (Consul) via consul decides: the probe fails"},
		"consul members -http-addr=http://127.0.0.1:8500":                     {"self 127.0.0.1:8500 (Consul) via consul decides: the probe fails"},
		"consul members -http-addr=http://consul.mesh.svc:8500":               {"cluster consul.mesh.svc:8500 (Consul) via consul decides: the probe fails"},
		"vault status -tls-skip-verify":                                       {"self :8200 (Vault) via vault decides: the probe exits 1"},
		"VAULT_ADDR=https://vault.sec.svc:8200 vault status":                  {"cluster vault.sec.svc:8200 (Vault) via vault decides: the probe exits 1"},
		"etcdctl endpoint health":                                             {"self :2379 (etcd) via etcdctl decides: the probe exits 1"},
		"etcdctl --endpoints=http://etcd.k.svc:2379 get k":                    {"cluster etcd.k.svc:2379 (etcd) via etcdctl decides: the probe exits 1"},
		// databases
		"nodetool status": {"self :7199 (Cassandra) via nodetool decides: the probe exits 1"},
		"nodetool -h cassandra.d.svc -p 7199 status":      {"cluster cassandra.d.svc:7199 (Cassandra) via nodetool decides: the probe exits 1"},
		"cqlsh -e 'describe cluster'":                     {"self :9042 (Cassandra) via cqlsh decides: the probe exits 1"},
		"cqlsh cassandra.d.svc 9042 -e x":                 {"cluster cassandra.d.svc:9042 (Cassandra) via cqlsh decides: the probe exits 1"},
		"clickhouse-client --host=ch.d.svc -q 'select 1'": {"cluster ch.d.svc:9000 (ClickHouse) via clickhouse-client decides: the probe fails"},
		"clickhouse-client -q 'select 1'":                 {"self :9000 (ClickHouse) via clickhouse-client decides: the probe fails"},
		"influx ping":                                     {"self :8086 (InfluxDB) via influx decides: the probe fails"},
		"influx ping --host http://influx.d.svc:8086":     {"cluster influx.d.svc:8086 (InfluxDB) via influx decides: the probe fails"},
		"sqlcmd -S localhost -U sa -P x -Q 'select 1'":    {"self localhost:1433 (SQL Server) via sqlcmd decides: the probe fails"},
		"sqlcmd -S tcp:sql.d.svc,1434 -Q x":               {"cluster sql.d.svc:1434 (SQL Server) via sqlcmd decides: the probe fails"},
		"ldapsearch -x -H ldap://ldap.example -b dc=x":    {"external ldap.example:389 (LDAP) via ldapsearch decides: the probe fails"},
		"ldapsearch -x -h localhost -b dc=x":              {"self localhost:389 (LDAP) via ldapsearch decides: the probe fails"},
		// clouds and clusters
		"aws s3 ls s3://bucket":                            {"external (AWS) via aws decides: the probe fails"},
		"aws --endpoint-url http://localhost:4566 s3 ls":   {"self localhost:4566 (AWS) via aws decides: the probe fails"},
		"aws --version":                                    nil,
		"gcloud auth list":                                 {"external (Google Cloud) via gcloud decides: the probe fails"},
		"az account show":                                  {"external (Azure) via az decides: the probe fails"},
		"kubectl get nodes":                                {"cluster (the Kubernetes API server) via kubectl decides: the probe exits 1"},
		"kubectl --server=http://localhost:8001 get nodes": {"self localhost:8001 (the Kubernetes API server) via kubectl decides: the probe exits 1"},
		"kubectl config view":                              nil,
		// programs that the table does not know are never remote
		"kiam health --server-address=127.0.0.1:443": nil,
		"hoard put --host orders-db":                 nil,
		"mytool http://orders-db/":                   nil,
		"podcli check http orders-db:9898/healthz":   nil,
		"pgrep -f 'psql -h orders-db'":               nil,
		"ps aux | grep 'redis-cli -h cache'":         nil,
		"echo curl http://orders-db/":                nil,
		"test -f /tmp/worker_ready":                  nil,
		"rm /tmp/health.txt":                         nil,
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(want, summaries(run(t, shell(command)))); diff != "" {
				t.Errorf("targets (-want +got):\n%s", diff)
			}
		})
	}
}
