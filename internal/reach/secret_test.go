package reach_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/reach"
)

// Every password of these commands is made of the word sesame.
func TestPasswordsAppearNowhere(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`psql "postgres://app:sesame@orders-db/shop" -c 'select 1'`,
		`psql "postgres://app:ses@sesame@orders-db/shop" -c 'select 1'`,
		`psql "postgres://app:sesame/sesame@orders-db/shop" -c 'select 1'`,
		`psql "postgres://app:sesame@/sesame@orders-db/shop" -c 'select 1'`,
		`psql "postgres://app:1/sesame@orders-db/shop" -c 'select 1'`,
		`psql "postgres://app:sesame?x=sesame@orders-db/shop"`,
		`psql "host=orders-db user=app password=sesame"`,
		`psql "password='a host=sesame' host=orders-db"`,
		`PGPASSWORD=sesame psql -h orders-db -c 'select 1'`,
		`env PGPASSWORD='sesame' pg_isready -h orders-db`,
		`mysqladmin -h orders-db -u root -psesame ping`,
		`mysqladmin -h orders-db --password=sesame ping`,
		`mysqladmin -h orders-db --password="se same" ping`,
		`MYSQL_PWD=sesame mysql -h orders-db -e 'select 1'`,
		`redis-cli -h cache -a sesame ping`,
		`redis-cli -h cache --pass sesame ping`,
		`REDISCLI_AUTH=sesame redis-cli -h cache ping`,
		`redis-cli -u "redis://:sesame@cache:6379/0" ping`,
		`redis-cli -u redis://default:sesame#sesame@cache:6379 ping`,
		`mongosh "mongodb://root:sesame@orders-db:27017/admin" --eval 1`,
		`mongosh --host orders-db -u root -p sesame --eval 1`,
		`curl -fsS -u app:sesame http://orders-db/`,
		`curl -fsS --user "app:sesame" http://orders-db/`,
		`curl -fsS -H 'Authorization: Bearer sesame' http://orders-db/`,
		`curl -fsS -H "X-Api-Key: sesame" http://orders-db/`,
		`curl -fsS "http://orders-db/?token=sesame"`,
		`curl -fsS "http://app:sesame@orders-db/"`,
		`curl -fsS "http://app:ses@sesame/sesame@orders-db/"`,
		`curl -fsS "app:sesame@orders-db/health"`,
		`wget -q --password=sesame --user=app http://orders-db/`,
		`rabbitmqadmin -H orders-db -u u -p sesame list queues`,
		`celery -A app -b amqp://u:sesame@orders-db:5672// inspect ping`,
		`sqlcmd -S orders-db -U sa -P sesame -Q 'select 1'`,
		`sqlplus app/sesame@//orders-db:1521/x`,
		`ldapsearch -H ldap://orders-db -D cn=x -w sesame`,
		`etcdctl --endpoints=orders-db:2379 --user root:sesame endpoint health`,
		`influx ping --host http://orders-db:8086 -t sesame`,
		`vault status -address=http://orders-db:8200 -token=sesame`,
		`nodetool -h orders-db -u c -pw sesame status`,
		`cqlsh orders-db -u c -p sesame -e x`,
		`python3 -c "import redis; redis.Redis(host='cache', password='sesame').ping()"`,
		`python3 -c "import psycopg2; psycopg2.connect('postgres://u:sesame@orders-db/x')"`,
		`node -e "fetch('http://u:sesame@orders-db/')"`,
		"URL=postgres://u:sesame@orders-db/x\npsql $URL",
		"if ! psql \"postgres://u:sesame@orders-db/x\" -c 'select 1'; then exit 1; fi",
		`mycheck --password sesame --host orders-db && nc -z orders-db 1`,
	} {
		b := parse(t, manifest(shell(text)))
		s := b.subjects()[0]
		b.own, b.labels = s.Workload, s.Labels
		e := reach.Explore(b, s)
		lines := []string{e.Opaque, strings.Join(e.Programs, " ")}
		for _, c := range e.Calls {
			lines = append(lines, c.Text())
		}
		for _, target := range e.Targets {
			lines = append(lines, target.Host, target.Port, target.Outcome, target.Subject, target.Via, target.Dependency)
			lines = append(lines, traceLines(target)...)
		}
		shown := strings.Join(lines, "\n")
		if strings.Contains(shown, "sesame") || len(e.Targets) == 0 {
			t.Errorf("%s is shown as\n%s", text, shown)
		}
	}
}

func TestCommandsStayReadableWithoutTheirPasswords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`psql postgres://app:sesame@orders-db/shop`:         `psql postgres://app:***@orders-db/shop`,
		`PGPASSWORD=sesame psql -h orders-db`:               `psql -h orders-db`,
		`redis-cli -h cache -a "$PASS" ping`:                `redis-cli -h cache -a "$PASS" ping`,
		`mysqladmin -h orders-db -p"${DB_PASS}" ping`:       `mysqladmin -h orders-db -p"${DB_PASS}" ping`,
		`mysqladmin -h orders-db -psesame ping`:             `mysqladmin -h orders-db -p*** ping`,
		`curl -f -u "$USER:$PASS" http://orders-db/`:        `curl -f -u "$USER:$PASS" http://orders-db/`,
		`curl -f http://orders-db/a@b`:                      `curl -f http://orders-db/a@b`,
		`pg_isready -h orders-db -p 5432 -t 3`:              `pg_isready -h orders-db -p 5432 -t 3`,
		`ssh -p 22 app@orders-db true`:                      `ssh -p 22 app@orders-db true`,
		`nc -z orders-db 5432 # password`:                   `nc -z orders-db 5432`,
		`redis-cli -h cache --no-auth-warning -p 6379 ping`: `redis-cli -h cache --no-auth-warning -p 6379 ping`,
	} {
		got := run(t, shell(text))
		if diff := cmp.Diff(want, strings.SplitN(traceLines(got.Targets[0])[0], " ", 2)[1]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}
