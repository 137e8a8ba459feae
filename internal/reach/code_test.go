package reach_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Code in a file of a ConfigMap: what decides it from outside the pod, and what it tolerates.
func TestProgramsOfTheBundleAreReadForWhatTheirFailuresDo(t *testing.T) {
	t.Parallel()
	db, cache := []string{"orders-db?"}, []string{"cache?"}
	for _, tc := range []struct {
		name, program, code string
		want                []string
	}{
		// Python
		{"nobody catches", "python3", "import socket\nsocket.create_connection(('orders-db', 5432), timeout=2).close()", db},
		{"caught, then exit 1", "python3", "import sys, socket\ntry:\n    socket.create_connection((\"orders-db\", 5432), 2)\nexcept OSError:\n    sys.exit(1)", db},
		{"caught with a message, then exit 1", "python3", "import sys, socket\ntry:\n    socket.create_connection((\"orders-db\", 5432), 2)\nexcept Exception as e:\n    print('db', e)\n    sys.exit(1)\nsys.exit(0)", db},
		{"caught on one line", "python3", "try: socket.create_connection(('orders-db', 5432))\nexcept: raise SystemExit(1)", db},
		{"raised again", "python3", "try:\n    socket.create_connection(('orders-db', 5432))\nexcept OSError:\n    log()\n    raise", db},
		{"a handler for something else", "python3", "try:\n    socket.create_connection(('orders-db', 5432))\nexcept KeyError:\n    pass", db},
		{"an exit with a message", "python3", "try:\n    socket.create_connection(('orders-db', 5432))\nexcept OSError as e:\n    sys.exit(f'database: {e}')", db},
		{"a function that is called", "python3", "def check():\n    socket.create_connection(('orders-db', 5432))\n\nif __name__ == '__main__':\n    check()", db},
		{"a function that says no", "python3", "def ok():\n    try:\n        socket.create_connection(('orders-db', 5432))\n        return True\n    except OSError:\n        return False\n\nsys.exit(0 if ok() else 1)", db},
		{"a function whose value is the status", "python3", "def main():\n    try:\n        socket.create_connection(('orders-db', 5432))\n    except OSError:\n        return 1\n    return 0\n\nsys.exit(main())", db},
		{"if not a function", "python3", "def ok():\n    try:\n        socket.create_connection(('orders-db', 5432))\n        return True\n    except OSError:\n        return False\nif not ok():\n    sys.exit(1)", db},
		{"a flag that is looked at", "python3", "ok = True\ntry:\n    socket.create_connection(('orders-db', 5432))\nexcept OSError:\n    ok = False\nsys.exit(0 if ok else 1)", db},
		{"the environment", "python3", "import os\nhost = os.environ['DB_HOST']\nsocket.create_connection((host, int(os.environ.get('PORT', '5432'))))", db},
		{"a default", "python3", "HOST = os.getenv('NOWHERE_SET', 'orders-db')\nsocket.create_connection((HOST, 5432))", db},
		{"an f-string", "python3", "h = os.environ['DB_HOST']\nurllib.request.urlopen(f'http://{h}:8008/health')", db},
		{"joined strings", "python3", "requests.get('http://' + os.environ['DB_HOST'] + ':8008/health', timeout=3)", db},
		{"a format with %", "python3", "requests.get('http://%s:%d/' % (os.environ['DB_HOST'], 8008))", db},
		{"format", "python3", "requests.get('http://{}:{}/'.format(os.environ['DB_HOST'], 8008))", db},
		{"a format of what is not known", "python3", "requests.get('http://%s/' % config.host)", nil},
		{"a local format", "python3", "requests.get('http://{}:8080/orders-db'.format('localhost'))", nil},
		{"a request object", "python3", "urllib.request.urlopen(urllib.request.Request('http://orders-db/'))", db},
		{"a client library", "python3", "import psycopg2\npsycopg2.connect(user='u', password='p', host='orders-db', dbname='x')", db},
		{"a conninfo", "python3", "import psycopg2\npsycopg2.connect('dbname=x user=u host=orders-db')", db},
		{"Redis and its ping", "python3", "import redis\nr = redis.Redis(host='cache', port=6379)\nr.ping()", cache},
		{"an argument of the command", "python3", "import sys\nsocket.create_connection((sys.argv[1], 5432))", db},
		{"a queue", "python3", "import pika\npika.BlockingConnection(pika.ConnectionParameters(host='cache'))", cache},
		{"connect_ex that is looked at", "python3", "s = socket.socket()\nr = s.connect_ex(('orders-db', 5432))\nsys.exit(0 if r == 0 else 1)", db},

		{"caught and ignored", "python3", "try:\n    socket.create_connection(('orders-db', 5432))\nexcept OSError:\n    pass", nil},
		{"caught, then exit 0", "python3", "try:\n    socket.create_connection(('orders-db', 5432))\nexcept OSError:\n    sys.exit(0)", nil},
		{"caught and logged", "python3", "try:\n    socket.create_connection(('orders-db', 5432))\nexcept Exception:\n    logging.exception('db')\nsys.exit(0)", nil},
		{"suppressed", "python3", "with contextlib.suppress(OSError):\n    socket.create_connection(('orders-db', 5432))", nil},
		{"in a branch that may not run", "python3", "if deep:\n    socket.create_connection(('orders-db', 5432))", nil},
		{"a function that nobody calls", "python3", "def db():\n    socket.create_connection(('orders-db', 5432))\n\nprint('ok')", nil},
		{"the caller tolerates", "python3", "def db():\n    socket.create_connection(('orders-db', 5432))\n\ntry:\n    db()\nexcept Exception:\n    pass", nil},
		{"a fall-back in the handler", "python3", "try:\n    local()\nexcept OSError:\n    socket.create_connection(('orders-db', 5432))", nil},
		{"a status that depends", "python3", "try:\n    socket.create_connection(('orders-db', 5432))\nexcept OSError as e:\n    if strict:\n        sys.exit(1)", nil},
		{"a flag that nobody looks at", "python3", "ok = True\ntry:\n    socket.create_connection(('orders-db', 5432))\nexcept OSError:\n    ok = False\nprint(ok)", nil},
		{"in a comment", "python3", "# socket.create_connection(('orders-db', 5432))\nprint(1)", nil},
		{"in a docstring", "python3", "\"\"\"\nsocket.create_connection(('orders-db', 5432))\n\"\"\"\nprint(1)", nil},
		{"loopback", "python3", "urllib.request.urlopen('http://localhost:8000/health')", nil},
		{"a dictionary's get", "python3", "x = {}\nx.get('http://orders-db/')\nprint(x.get('orders-db'))", nil},
		{"a client that never connects", "python3", "import redis\nr = redis.Redis(host='cache')\nprint(r)", nil},
		{"a local database", "python3", "import sqlite3\nsqlite3.connect('orders-db')", nil},
		{"connect_ex that is ignored", "python3", "s = socket.socket()\ns.connect_ex(('orders-db', 5432))", nil},
		{"an event's connect", "python3", "window.connect('destroy', quit)\nsignal.connect('orders-db')", nil},
		{"a host from elsewhere", "python3", "socket.create_connection((config.host, 5432))", nil},
		{"a variable that changes", "python3", "h = 'orders-db'\nh = pick()\nsocket.create_connection((h, 5432))", nil},

		// Node
		{"an error event that ends it", "node", "require('net').connect(5432, 'orders-db').on('error', () => process.exit(1))", db},
		{"an error event that nobody handles", "node", "const net = require('net');\nnet.connect({port: 5432, host: 'orders-db'}).end();", db},
		{"a named handler", "node", "function fail(e) { console.error(e); process.exit(2); }\nrequire('net').createConnection(5432, process.env.DB_HOST).on('error', fail)", db},
		{"a request", "node", "const http = require('http');\nhttp.get('http://orders-db:8008/', (res) => process.exit(res.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1));", db},
		{"options in a variable", "node", "const o = { host: 'orders-db', port: 80 };\nhttp.request(o, r => process.exit(0)).on('error', () => process.exit(1)).end()", db},
		{"local options in a variable", "node", "const o = { host: 'localhost', path: '/orders-db' };\nhttp.request(o).on('error', () => process.exit(1)).end()", nil},
		{"fetch and catch", "node", "fetch(`http://${process.env.DB_HOST}:8008/`).then(r => process.exit(r.ok ? 0 : 1)).catch(() => process.exit(1))", db},
		{"fetch without catch", "node", "fetch('http://orders-db/').then(r => console.log(r.status))", db},
		{"try and await", "node", "(async () => {\n  try {\n    await fetch('http://orders-db/');\n  } catch (e) {\n    process.exit(1);\n  }\n})();", db},
		{"a default of the environment", "node", "const h = process.env.NOWHERE || 'orders-db';\nrequire('net').connect(5432, h)", db},

		{"an error event that is logged", "node", "require('net').connect(5432, 'orders-db').on('error', (e) => console.log(e))", nil},
		{"an error event that ends it well", "node", "require('net').connect(5432, 'orders-db').on('error', () => process.exit(0))", nil},
		{"catch and log", "node", "fetch('http://orders-db/').catch(console.error)", nil},
		{"try and ignore", "node", "(async () => { try { await fetch('http://orders-db/'); } catch { } })()", nil},
		{"in an if", "node", "if (process.argv[2]) {\n  fetch('http://orders-db/')\n}", nil},
		{"itself", "node", "require('http').get({port: 8080, path: '/health'}, r => process.exit(r.statusCode == 200 ? 0 : 1))", nil},
		{"a comment in Node", "node", "// fetch('http://orders-db/')\nprocess.exit(0)", nil},

		// Ruby
		{"Ruby without rescue", "ruby", "require 'socket'\nTCPSocket.new('orders-db', 5432).close", db},
		{"rescue and exit", "ruby", "begin\n  TCPSocket.new(ENV['DB_HOST'], 5432).close\nrescue => e\n  warn e\n  exit 1\nend", db},
		{"rescue and abort", "ruby", "begin; Redis.new(url: 'redis://cache').ping; rescue; abort 'no'; end", cache},
		{"a default of ENV", "ruby", "TCPSocket.new(ENV.fetch('NOWHERE', 'orders-db'), 5432)", db},
		{"rescue and go on", "ruby", "begin\n  TCPSocket.new('orders-db', 5432)\nrescue StandardError\n  puts 'down'\nend", nil},
		{"rescue on the line", "ruby", "TCPSocket.new('orders-db', 5432) rescue nil", nil},
		{"a Ruby branch", "ruby", "if ARGV[5]\n  TCPSocket.new('orders-db', 5432)\nend", nil},

		// PHP and Perl
		{"PHP looks at the socket", "php", "<?php\n$s = fsockopen('orders-db', 5432);\nif (!$s) { exit(1); }", db},
		{"PDO throws", "php", "<?php\nnew PDO('pgsql:host=orders-db;dbname=x', 'u', 'p');", db},
		{"PDO is caught, then exit 1", "php", "<?php\ntry { new PDO('mysql:host=orders-db;dbname=x'); } catch (PDOException $e) { exit(1); }", db},
		{"a value that nobody looks at", "php", "<?php\n@fsockopen('orders-db', 5432);", nil},
		{"die with a message ends well in PHP", "php", "<?php\n$s = fsockopen('orders-db', 5432) or die('down');", nil},
		{"PDO is caught and printed", "php", "<?php\ntry { new PDO('mysql:host=orders-db'); } catch (Exception $e) { echo $e; }", nil},
		{"Perl dies", "perl", "use IO::Socket::INET;\nmy $s = IO::Socket::INET->new(PeerAddr => 'orders-db', PeerPort => 5432) or die \"no\";", db},
		{"Perl does not care", "perl", "use IO::Socket::INET;\nmy $s = IO::Socket::INET->new(PeerAddr => $ENV{DB_HOST}, PeerPort => 5432);\nexit 0;", nil},
	} {
		t.Run(tc.program+" "+tc.name, func(t *testing.T) {
			t.Parallel()
			file := "objects=---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: code, namespace: shop}\ndata:\n  check: |\n    " + indented(tc.code) + "\n"
			got := run(t, command(tc.program, "/code/check", "orders-db"), adversarialEnv, `mounts=[{name: code, mountPath: /code}]`, `volumes=[{name: code, configMap: {name: code}}]`, file)
			if diff := cmp.Diff(tc.want, deciding(got)); diff != "" {
				t.Errorf("%s\nremote targets that decide (-want +got):\n%s", tc.code, diff)
			}
		})
	}
}

func TestTheTraceOfAProgramStandsAtItsCall(t *testing.T) {
	t.Parallel()
	file := "objects=---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: code, namespace: shop}\ndata:\n  check.py: |\n    #!/usr/bin/env python3\n    import os, socket\n\n    socket.create_connection((os.environ['DB_HOST'], 5432))\n"
	got := run(t, command("/code/check.py"), adversarialEnv, `mounts=[{name: code, mountPath: /code}]`, `volumes=[{name: code, configMap: {name: code}}]`, file)
	want := []string{
		"16:13 runs /code/check.py, from ConfigMap code",
		"77:5 socket.create_connection((os.environ['DB_HOST'], 5432))",
		"11:31 DB_HOST is orders-db, Service orders-db selects StatefulSet orders-db",
	}
	if diff := cmp.Diff(want, traceLines(got.Targets[0])); diff != "" {
		t.Errorf("trace (-want +got):\n%s", diff)
	}
}
