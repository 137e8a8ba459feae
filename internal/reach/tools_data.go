package reach

// curlValues are curl's options with a value (curl.se/docs/manpage.html).
const curlValues = "o w H d X A b c e E F m u x T y Y z C D K P Q r t U h " +
	"connect-timeout max-time header data data-raw data-binary data-urlencode json request user user-agent output write-out cert key cacert " +
	"capath cert-type key-type retry retry-delay retry-max-time resolve connect-to proxy proxy-user noproxy unix-socket abstract-unix-socket " +
	"interface url form cookie cookie-jar referer range max-redirs ciphers tls-max limit-rate max-filesize output-dir oauth2-bearer " +
	"trace trace-ascii stderr proto proto-default proto-redir url-query variable engine curves tls13-ciphers socks4 socks4a socks5 socks5-hostname preproxy " +
	"happy-eyeballs-timeout-ms crlfile etag-compare etag-save quote rate parallel-max continue-at time-cond delegation proxy-header request-target " +
	"aws-sigv4 dns-servers doh-url local-port keepalive-time speed-limit speed-time upload-file config netrc-file pass pinnedpubkey"

// pgValues are the options with a value of the PostgreSQL clients.
const pgValues = "h host p port U username d dbname c command f file v set variable F field-separator R record-separator P pset T " +
	"table-attr o output L log-file"

const pgReadyValues = "h host p port U username d dbname t timeout"

// pgToolValues are those of pg_dump and its kin: -t names a table there.
const pgToolValues = "h host p port U username d dbname f file F format j jobs n schema N exclude-schema T exclude-table t table E encoding S superuser " +
	"Z compress l database role lock-wait-timeout snapshot D pgdata X wal-method c checkpoint r max-rate s scale"

const mysqlValues = "h host P port u user e execute S socket D database defaults-file defaults-extra-file defaults-group-suffix protocol " +
	"connect-timeout connect_timeout init-command ssl-mode ssl-ca ssl-cert ssl-key default-character-set plugin-dir shutdown-timeout"

const redisValues = "h p s a u n r i t d D X user pass cacert cacertdir cert key sni tls-ciphers tls-ciphersuites pattern count eval functions-rdb socket"

const mongoValues = "host port u username p password authenticationDatabase authenticationMechanism eval f file tlsCAFile tlsCertificateKeyFile " +
	"sslCAFile sslPEMKeyFile sslPEMKeyPassword tlsCertificateKeyFilePassword gssapiServiceName apiVersion"

const kafkaValues = "bootstrap-server bootstrap-controller broker-list zookeeper command-config topic group config consumer.config producer.config " +
	"timeout-ms max-messages partitions replication-factor entity-type entity-name alter add-config offsets-topic timeout producer-property " +
	"consumer-property property reset-offsets to-offset"

// clients is the table of client programs: the flags, variables and defaults are those of each tool's manual page.
//
//nolint:gochecknoglobals,misspell // an immutable table; the linker lays it out, nothing runs at start-up; the broker is spelled so
var clients = [...]tool{
	{names: "psql", dependency: "PostgreSQL", scheme: "postgresql", port: "5432", values: pgValues, host: "h host", portFlag: "p port", url: "d dbname", args: argsDSN, env: "PGHOSTADDR PGHOST PGPORT:port", fallback: fallbackSelf, waits: synSeconds, down: 2, stated: true},
	{names: "pg_isready", dependency: "PostgreSQL", scheme: "postgresql", port: "5432", values: pgReadyValues, waits: 3, limits: "t timeout", host: "h host", portFlag: "p port", url: "d dbname", env: "PGHOSTADDR PGHOST PGPORT:port", fallback: fallbackSelf, down: 2, stated: true, out: "accepting connections\n"},
	{names: "pg_dump pg_dumpall pg_basebackup pg_receivewal createdb dropdb vacuumdb pgbench reindexdb", dependency: "PostgreSQL", scheme: "postgresql", port: "5432", values: pgToolValues, host: "h host", portFlag: "p port", url: "d dbname", args: argsDSN, env: "PGHOSTADDR PGHOST PGPORT:port", fallback: fallbackSelf, down: 1},
	{names: "pgbouncer pgpool pcp_node_info", dependency: "PostgreSQL", values: pgValues, host: "h host", portFlag: "p port", fallback: fallbackSelf, down: 1},
	{names: "mysql mariadb", dependency: "MySQL", scheme: "mysql", port: "3306", values: mysqlValues, waits: synSeconds, limits: "connect-timeout connect_timeout", attached: "p", host: "h host", portFlag: "P port", env: "MYSQL_HOST MYSQL_TCP_PORT:port", fallback: fallbackSelf, down: 1},
	{names: "mysqladmin mariadb-admin", dependency: "MySQL", scheme: "mysql", port: "3306", values: mysqlValues + " i sleep c count shutdown_timeout", attached: "pw", waits: synSeconds, limits: "connect-timeout connect_timeout", host: "h host", portFlag: "P port", env: "MYSQL_TCP_PORT:port", fallback: fallbackSelf, down: 1, stated: true, commands: []command{{words: "ping", out: "mysqld is alive\n"}}},
	{names: "mysqlshow mysqldump mysqlcheck mysqlimport mariadb-show mariadb-dump mariadb-check", dependency: "MySQL", scheme: "mysql", port: "3306", values: mysqlValues, attached: "p", host: "h host", portFlag: "P port", env: "MYSQL_TCP_PORT:port", fallback: fallbackSelf, down: 2},
	{names: "redis-cli valkey-cli keydb-cli dragonfly-cli", dependency: "Redis", scheme: "redis", port: "6379", values: redisValues, waits: synSeconds, limits: "t", host: "h", portFlag: "p", url: "u", fallback: fallbackSelf, down: 1, stated: true, commands: []command{
		{words: "ping", out: "PONG\n"},
		{words: "set", out: "OK\n"},
		{words: "auth", out: "OK\n"},
		{words: "sentinel ckquorum", out: "OK 3 usable Sentinels. Quorum and failover authorization can be reached\n"},
	}},
	{names: "mongo mongosh", dependency: "MongoDB", scheme: "mongodb", port: "27017", values: mongoValues, host: "host", portFlag: "port", args: argsDSN, fallback: fallbackSelf, down: 1},
	{names: "mongostat mongodump mongoexport mongotop", dependency: "MongoDB", scheme: "mongodb", port: "27017", values: mongoValues + " h uri d c", host: "h host", portFlag: "port", url: "uri", fallback: fallbackSelf, down: 1},

	{names: "curl", read: readCurl, says: sayCurl, waits: synSeconds, limits: "m max-time connect-timeout", scheme: "http", port: "80", values: curlValues, url: "url", args: argsURL, down: 7, stated: true},
	{names: "wget", says: sayWget, waits: synSeconds, limits: "T timeout connect-timeout", scheme: "http", port: "80", values: "i input-file D domains l level A accept R reject I X B base waitretry wait quota limit-rate bind-address referer prefer-family retry-on-http-error certificate-type private-key-type O T t U o a P e w Q Y timeout tries output-document header user-agent post-data post-file body-data method user password ca-certificate certificate private-key connect-timeout dns-timeout read-timeout http-user http-password", args: argsURL, down: 4},
	{names: "http https xh httpie", scheme: "http", port: "80", values: "timeout auth a verify cert", args: argsNone, fallback: fallbackUnknown, down: 1},
	{names: "nc ncat netcat nc.openbsd nc.traditional", read: readNetcat, says: saySocket, waits: synSeconds, limits: "w wait G", scheme: "tcp", values: "M source source-port proxy proxy-type proxy-auth exec sh-exec lua-exec delay w p s X x i I O P T V e c q m o W G idle-timeout wait", host: "", args: argsHostPort, down: 1, stated: true},
	{names: "socat", read: readSocat, says: saySocket, scheme: "tcp", values: "T t b", fallback: fallbackUnknown, down: 1},
	{names: "telnet", says: saySocket, waits: synSeconds, scheme: "tcp", port: "23", values: "l e b n", args: argsHostPort, down: 1, out: "Connected to server.\n"},
	{names: "nmap nping", read: readNmap, says: sayNmap, scheme: "tcp", values: "p script T max-retries host-timeout oG oN e S g", portFlag: "p", args: argsHost, down: 0},
	{names: "openssl", read: readOpenSSL, waits: synSeconds, scheme: "tls", port: "4433", values: "connect host port servername CAfile CApath cert key starttls verify alpn cipher proxy in out noout", host: "connect host", portFlag: "port", down: 1, commands: []command{
		{words: "x509", inert: true}, {words: "verify", inert: true}, {words: "rand", inert: true}, {words: "rsa", inert: true}, {words: "dgst", inert: true}, {words: "enc", inert: true}, {words: "req", inert: true},
	}},
	{names: "ping ping6 fping arping", scheme: "icmp", values: "c W w i I s t Q m p l", args: argsHost, down: 1, stated: true},
	{names: "traceroute tracepath mtr", scheme: "icmp", values: "m w q p c", args: argsHost, down: 1},
	{names: "ssh sftp", scheme: "ssh", port: "22", values: "p i l o F J L R D W B E I O Q P b c e m S w", portFlag: "p", args: argsAddress, down: 255, stated: true},
	{names: "grpc_health_probe grpc-health-probe grpc_health_probe-linux-amd64", scheme: "grpc", values: "addr service connect-timeout rpc-timeout user-agent tls-ca-cert tls-client-cert tls-client-key tls-server-name rpc-header", host: "addr", down: 2, stated: true, out: "status: SERVING\n"},
	{names: "grpcurl", scheme: "grpc", values: "H d proto import-path protoset cacert cert key authority servername max-time connect-timeout rpc-header user-agent", args: argsAddress, down: 1},
	{names: "grpc-health-check grpc_cli", scheme: "grpc", fallback: fallbackUnknown, down: 1},

	{names: "kafka-topics kafka-topics.sh kafka-broker-api-versions kafka-broker-api-versions.sh kafka-configs kafka-configs.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-console-producer kafka-console-producer.sh kafka-console-consumer kafka-console-consumer.sh kafka-metadata-quorum kafka-metadata-quorum.sh kafka-cluster kafka-cluster.sh kafka-get-offsets kafka-get-offsets.sh kafka-log-dirs kafka-log-dirs.sh kafka-acls kafka-acls.sh kafka-reassign-partitions.sh", dependency: "Kafka", scheme: "kafka", port: "9092", values: kafkaValues, host: "bootstrap-server bootstrap-controller broker-list", fallback: fallbackUnknown, down: 1},
	{names: "kcat kafkacat", dependency: "Kafka", scheme: "kafka", port: "9092", values: "b t p X o c f F G K D m", host: "b", fallback: fallbackUnknown, down: 1},
	{names: "zookeeper-shell zookeeper-shell.sh", dependency: "ZooKeeper", scheme: "zookeeper", port: "2181", args: argsAddress, fallback: fallbackUnknown, down: 1},
	{names: "zkCli.sh zkCli", dependency: "ZooKeeper", scheme: "zookeeper", port: "2181", values: "server timeout", host: "server", fallback: fallbackSelf, down: 1},
	{names: "zkServer.sh", dependency: "ZooKeeper", scheme: "zookeeper", port: "2181", fallback: fallbackSelf, down: 1},
	{names: "cub", fallback: fallbackUnknown, down: 1},
	{names: "pulsar-admin", dependency: "Pulsar", scheme: "http", port: "8080", values: "admin-url auth-plugin auth-params", url: "admin-url", fallback: fallbackUnknown, down: 1},

	{names: "rabbitmqctl rabbitmq-diagnostics rabbitmq-queues rabbitmq-upgrade rabbitmq-plugins", read: readErlangNode, dependency: "RabbitMQ", scheme: "erlang", values: "n node t timeout p vhost formatter", host: "n node", env: "RABBITMQ_NODENAME", fallback: fallbackSelf, down: 69, stated: true, commands: []command{{words: "ping", out: "Ping succeeded\n"}}},
	{names: "rabbitmqadmin", dependency: "RabbitMQ", scheme: "http", port: "15672", values: "H host P port u username p password V vhost c config N node f format", host: "H host", portFlag: "P port", fallback: fallbackSelf, down: 1},
	{names: "celery", scheme: "amqp", port: "5672", values: "A app b broker d destination t timeout workdir loader result-backend config", url: "b broker", env: "CELERY_BROKER_URL BROKER_URL CELERY_BROKER", down: 69, commands: []command{
		{words: "inspect *", remote: true, dependency: "the message broker", out: "->  celery@worker: OK\n        pong\n\n1 node online.\n"},
		{words: "status", remote: true, dependency: "the message broker", out: "->  celery@worker: OK\n\n1 node online.\n"},
		{words: "control *", remote: true, dependency: "the message broker", out: "OK\n"},
		{words: "call", remote: true, dependency: "the message broker"},
		{words: "list", remote: true, dependency: "the message broker"},
		{words: "purge", remote: true, dependency: "the message broker"},
		{words: "amqp", remote: true, dependency: "the message broker"},
		{words: "result", remote: true, dependency: "the message broker"},
		{words: "report", inert: true},
		{words: "worker", inert: true},
		{words: "beat", inert: true},
		{words: "--version", inert: true},
	}},
	{names: "airflow", scheme: "postgresql", values: "job-type hostname limit t timeout S subdir", env: "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN AIRFLOW__CORE__SQL_ALCHEMY_CONN", down: 1, commands: []command{
		{words: "jobs check", remote: true, dependency: "the metadata database", out: "Found one alive job.\n"},
		{words: "db check", remote: true, dependency: "the metadata database"},
		{words: "db check-migrations", remote: true, dependency: "the metadata database"},
		{words: "db *", remote: true, dependency: "the metadata database"},
		{words: "checkdb", remote: true, dependency: "the metadata database"},
		{words: "dags *", remote: true, dependency: "the metadata database"},
		{words: "pools *", remote: true, dependency: "the metadata database"},
		{words: "users *", remote: true, dependency: "the metadata database"},
		{words: "version", inert: true},
		{words: "info", inert: true},
		{words: "config *", inert: true},
	}},
	{names: "rq rqinfo", dependency: "Redis", scheme: "redis", port: "6379", values: "u url c config P path i interval", url: "u url", env: "RQ_REDIS_URL", fallback: fallbackUnknown, down: 1},
	{names: "sidekiqmon", dependency: "Redis", scheme: "redis", port: "6379", env: "REDIS_URL", fallback: fallbackUnknown, down: 1},
	{names: "dramatiq huey_consumer arq", fallback: fallbackUnknown, down: 1},
	{names: "gitlab-runner", scheme: "https", port: "443", values: "url u token t name n config c", url: "url u", env: "CI_SERVER_URL", down: 1, commands: []command{
		{words: "verify", remote: true, dependency: "the GitLab server", out: "Verifying runner... is alive\n"},
		{words: "register", remote: true, dependency: "the GitLab server"},
		{words: "status", inert: true},
		{words: "list", inert: true},
	}},
	{names: "manage.py django-admin", read: readDjango, scheme: "postgresql", values: "database settings pythonpath verbosity v deploy tag", env: "DATABASE_URL", down: 1, commands: []command{
		{words: "migrate", remote: true, dependency: "the database"},
		{words: "showmigrations", remote: true, dependency: "the database"},
		{words: "dbshell", remote: true, dependency: "the database"},
		{words: "inspectdb", remote: true, dependency: "the database"},
	}},

	{names: "consul", dependency: "Consul", scheme: "http", port: "8500", values: "http-addr token token-file datacenter ca-file ca-path client-cert client-key tls-server-name namespace partition format", url: "", host: "http-addr", env: "CONSUL_HTTP_ADDR", fallback: fallbackSelf, down: 1, commands: []command{
		{words: "operator *", quorum: "the Consul servers"},
		{words: "kv *", quorum: "the Consul servers"},
		{words: "catalog *", quorum: "the Consul servers"},
		{words: "validate", inert: true},
	}},
	{names: "vault bao", dependency: "Vault", scheme: "https", port: "8200", values: "address agent-address ca-cert ca-path client-cert client-key tls-server-name namespace format field", host: "address", env: "VAULT_AGENT_ADDR VAULT_ADDR BAO_ADDR", fallback: fallbackSelf, down: 1, stated: true},
	{names: "nomad", dependency: "Nomad", scheme: "http", port: "4646", values: "address region namespace token ca-cert client-cert client-key", host: "address", env: "NOMAD_ADDR", fallback: fallbackSelf, down: 1},
	{names: "etcdctl etcdutl", dependency: "etcd", scheme: "http", port: "2379", values: "endpoints endpoint C peers cacert cert key user password w write-out dial-timeout command-timeout ca-file cert-file key-file timeout total-timeout insecure-transport", host: "endpoints endpoint C peers", env: "ETCDCTL_ENDPOINTS ETCDCTL_ENDPOINT ETCDCTL_PEERS", fallback: fallbackSelf, down: 1, stated: true, commands: []command{{words: "endpoint health", all: true}, {words: "endpoint status", all: true}}},
	{names: "nodetool", dependency: "Cassandra", scheme: "jmx", port: "7199", values: "h host p port u username pw password pwf password-file", host: "h host", portFlag: "p port", fallback: fallbackSelf, down: 1, stated: true},
	{names: "cqlsh", dependency: "Cassandra", scheme: "cassandra", port: "9042", values: "e execute u username p password f file k keyspace request-timeout connect-timeout cqlshrc encoding", args: argsServer, env: "CQLSH_HOST CQLSH_PORT:port", fallback: fallbackSelf, down: 1, stated: true},
	{names: "clickhouse-client clickhouse", read: readClickHouse, dependency: "ClickHouse", scheme: "clickhouse", port: "9000", values: "h host port u user password q query d database c config config-file connect_timeout receive_timeout format max_threads", host: "h host", portFlag: "port", fallback: fallbackSelf, down: 210},
	{names: "influx", dependency: "InfluxDB", scheme: "http", port: "8086", values: "host port t token o org username password execute database format precision", host: "host", portFlag: "port", env: "INFLUX_HOST", fallback: fallbackSelf, down: 1, commands: []command{{words: "ping", out: "OK\n"}}},
	{names: "influxd", dependency: "InfluxDB", fallback: fallbackSelf, down: 1},
	{names: "sqlcmd", read: readSQLServer, dependency: "SQL Server", scheme: "sqlserver", port: "1433", values: "S U P Q q d i o l t W s h w b v", host: "S", env: "SQLCMDSERVER", fallback: fallbackSelf, down: 1},
	{names: "sqlplus", read: readOracle, dependency: "Oracle Database", scheme: "oracle", port: "1521", fallback: fallbackUnknown, down: 1},
	{names: "ldapsearch ldapwhoami ldapmodify", dependency: "LDAP", scheme: "ldap", port: "389", values: "H h p D w y b s l z o Y U R X a c d e E f F S T P", host: "h", portFlag: "p", url: "H", env: "LDAPURI", fallback: fallbackSelf, down: 255},
	{names: "aws", dependency: "AWS", scheme: "https", port: "443", values: "endpoint-url region profile output query cli-read-timeout cli-connect-timeout", url: "endpoint-url", env: "AWS_ENDPOINT_URL", fallback: fallbackRemote, down: 255, commands: []command{{words: "configure", inert: true}, {words: "help", inert: true}}},
	{names: "gcloud gsutil bq", dependency: "Google Cloud", scheme: "https", port: "443", values: "project account format filter region zone", fallback: fallbackRemote, down: 1, commands: []command{{words: "config", inert: true}, {words: "info", inert: true}, {words: "components", inert: true}}},
	{names: "az", dependency: "Azure", scheme: "https", port: "443", values: "subscription o output g resource-group n name query", fallback: fallbackRemote, down: 1, commands: []command{{words: "configure", inert: true}}},
	{names: "kubectl oc", dependency: "the Kubernetes API server", scheme: "https", port: "443", values: "n namespace s server f filename o output l selector c container context kubeconfig token request-timeout cluster user as field-selector field-manager certificate-authority", url: "s server", env: "KUBERNETES_MASTER", fallback: fallbackRemote, down: 1, stated: true, commands: []command{{words: "config", inert: true}, {words: "completion", inert: true}, {words: "kustomize", inert: true}, {words: "explain", inert: true}}},
	{names: "helm", dependency: "the Kubernetes API server", scheme: "https", port: "443", values: "n namespace kube-context kubeconfig o output f values", fallback: fallbackRemote, down: 1, commands: []command{{words: "version", inert: true}, {words: "template", inert: true}, {words: "env", inert: true}, {words: "lint", inert: true}, {words: "repo list", inert: true}}},
	{names: "docker podman crictl nerdctl ctr", scheme: "unix", values: "H host r runtime-endpoint a address n namespace f filter format", host: "H host", env: "DOCKER_HOST", fallback: fallbackSelf, down: 1},

	{names: "memcached-tool", dependency: "Memcached", scheme: "memcached", port: "11211", args: argsAddress, down: 1},
	{names: "memcstat memcping", dependency: "Memcached", scheme: "memcached", port: "11211", values: "servers", host: "servers", env: "MEMCACHED_SERVERS", fallback: fallbackUnknown, down: 1},
	{names: "cypher-shell", dependency: "Neo4j", scheme: "neo4j", port: "7687", values: "a address u username p password d database format", host: "a address", env: "NEO4J_URI NEO4J_ADDRESS", fallback: fallbackSelf, down: 1},
	{names: "nats", dependency: "NATS", scheme: "nats", port: "4222", values: "s server context creds user password timeout", host: "s server", env: "NATS_URL", fallback: fallbackUnknown, down: 1},
	{names: "cockroach", dependency: "CockroachDB", scheme: "postgresql", port: "26257", values: "host port p url certs-dir e execute user u format", host: "host", portFlag: "port p", url: "url", env: "COCKROACH_URL COCKROACH_HOST COCKROACH_PORT:port", fallback: fallbackSelf, down: 1},
	{names: "temporal tctl", dependency: "Temporal", scheme: "grpc", port: "7233", values: "address ad namespace ns n tls-ca-path context-timeout", host: "address ad", env: "TEMPORAL_ADDRESS TEMPORAL_CLI_ADDRESS", fallback: fallbackSelf, down: 1},
	{names: "mosquitto_sub mosquitto_pub mosquitto_rr", dependency: "MQTT", scheme: "mqtt", port: "1883", values: "A D E F I K T U V M x h p t m u P i q C W k L cafile capath cert key id keepalive qos will-topic", host: "h", portFlag: "p", url: "L", fallback: fallbackSelf, down: 1},
	{names: "varnishadm", dependency: "Varnish", scheme: "tcp", values: "T S n t", host: "T", fallback: fallbackSelf, down: 1},
	{names: "mc", read: readMinio, dependency: "object storage", scheme: "https", port: "9000", values: "C config-dir", fallback: fallbackUnknown, down: 1, commands: []command{{words: "alias *", inert: true}, {words: "config *", inert: true}, {words: "version", inert: true}}},
	{names: "s3cmd", dependency: "Amazon S3", scheme: "https", values: "host host-bucket c config access_key secret_key", host: "host", fallback: fallbackUnknown, down: 1},
	{names: "showmount", dependency: "NFS", scheme: "rpc", args: argsHost, fallback: fallbackSelf, down: 1},
	{names: "rpcinfo", dependency: "RPC", scheme: "rpc", port: "111", values: "n T a b d", args: argsAddress, fallback: fallbackSelf, down: 1},
	{names: "snmpget snmpwalk", scheme: "snmp", values: "v c u l a A x X t r O n e E m M L P Z C", args: argsAddress, down: 1},
	{names: "ntpdate", scheme: "ntp", port: "123", values: "t p o k e a", args: argsHost, down: 1},
	{names: "temporal-cli solr chronyc ntpq lncli bitcoin-cli geth rspamc doveadm postqueue asterisk freeswitch fs_cli squidclient haproxy unbound-control rndc", values: "h s p c H P rpcconnect rpcport rpcserver host", host: "h H s rpcconnect rpcserver host", portFlag: "p P rpcport", fallback: fallbackSelf, down: 1},
	{names: "supervisorctl", values: "c s u p configuration serverurl", host: "s serverurl", fallback: fallbackSelf, down: 1},

	{names: "dig drill", read: readResolver, says: sayAddress, dependency: "DNS", scheme: "dns", port: "53", values: "p b f t c x k y q", down: 9},
	{names: "nslookup host", read: readResolverArgs, dependency: "DNS", scheme: "dns", port: "53", values: "t W R c", down: 1},
	{names: "getent", read: readGetent, says: sayAddress, dependency: "DNS", scheme: "dns", port: "53", values: "s", down: 2, stated: true},
}

// clientNamed finds the row of a program.
func clientNamed(name string) *tool {
	for i := range clients {
		if inList(clients[i].names, name) {
			return &clients[i]
		}
	}
	return nil
}
