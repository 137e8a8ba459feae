package reach

import (
	"regexp"
	"strings"
	"sync"
)

// secretForm is a way in which a command line, a script or a program holds a secret: what stands before it, and the secret itself.
type secretForm struct {
	// words: one of them, in lower case, must stand in the text: programs, or what the form begins with.
	words string
	// signs, where set: one of them must stand there too. Most commands have none, and a search costs more than all else here.
	signs string
	form  *regexp.Regexp
}

// secretValue is a quoted or a plain word.
const secretValue = `("(?:[^"\\]|\\.)*"|'[^']*'|[^\s;&|)"']+)`

// secretForms are compiled once: traces are short, compiling is not.
//
//nolint:gochecknoglobals,misspell // immutable once made; the broker is spelled so
var secretForms = sync.OnceValue(func() []secretForm {
	must := regexp.MustCompile
	return []secretForm{
		// user:secret@ in a URL, up to the last @ of the word
		{words: "://", signs: "@", form: must(`([A-Za-z][A-Za-z0-9+.-]*://[^\s:/@"'` + "`" + `]*:)([^\s"'` + "`" + `]*)@`)},
		// user:secret@tcp(…) of Go's MySQL driver, user/secret@… of Oracle
		{words: "@tcp( @unix(", form: must(`(\w+:)([^\s"']*)@(?:tcp|unix)\(`)},
		{words: "sqlplus", form: must(`(\s\w+/)([^\s"']*)@`)},
		// PGPASSWORD=secret, password: secret, "token" => secret, ?password=secret
		{words: "pass pwd secret token key credential rediscli_auth", form: must(`(?i)((?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|access[_-]?key|credentials?|rediscli_auth)["']?\s*(?:=>|=|:)\s*)` + secretValue)},
		// --password secret, --token=secret, -pw secret
		{words: "pass pw secret token key auth", form: must(`(?i)(\s--?[a-z0-9-]*(?:pass(?:word|wd|phrase)?|pwd?|secret|token|api-?key|auth)[=\s]\s*)` + secretValue)},
		{words: "authorization", form: must(`(?i)(authorization\s*:\s*(?:basic|bearer|token)?\s*)` + `([^\s"']+)`)},
		{words: "mysql mariadb", form: must(`(\s-p)` + secretValue)},
		{words: "redis-cli valkey-cli keydb-cli", form: must(`(\s-a\s*)` + secretValue)},
		{words: "mongo cqlsh rabbitmqadmin cypher-shell clickhouse rabbitmqctl", form: must(`(\s-p\s+)` + secretValue)},
		{words: "sqlcmd mosquitto", form: must(`(\s-P\s*)` + secretValue)},
		{words: "ldap", form: must(`(\s-w\s*)` + secretValue)},
		{words: "influx", form: must(`(\s-t\s+)` + secretValue)},
		{words: "curl wget http", signs: "-u --user --proxy-user", form: must(`(\s(?:-u|--user|--proxy-user|-U)[=\s]*["']?[^\s:"']*:)` + `([^\s"']+)`)},
		{words: "curl wget", signs: "@", form: must(`([\s"'][\w.-]+:)([^\s"'/]+)@`)},
		{words: "etcdctl", form: must(`(\s--user[=\s]\s*["']?[^\s:"']*:)` + `([^\s"']+)`)},
	}
})

// redact replaces the secrets in a text that is shown to people. What only names a variable stays.
func redact(text string) string {
	if !strings.ContainsAny(text, ":=@-") {
		return text
	}
	folded := strings.ToLower(text)
	for _, f := range secretForms() {
		if mentionsAny(folded, f.words) && (f.signs == "" || mentionsAny(folded, f.signs)) {
			text = replaceGroup(text, f.form)
		}
	}
	return text
}

func mentionsAny(text, words string) bool {
	for word := range strings.FieldsSeq(words) {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// replaceGroup replaces the second group of each match.
func replaceGroup(text string, form *regexp.Regexp) string {
	var b strings.Builder
	last := 0
	for _, m := range form.FindAllStringSubmatchIndex(text, -1) {
		secret := text[m[4]:m[5]]
		if reference(secret) {
			continue
		}
		b.WriteString(text[last:m[4]])
		b.WriteString("***")
		last = m[5]
	}
	return b.String() + text[last:]
}

// reference reports a value that is no secret itself: a variable, a substitution, or nothing.
func reference(s string) bool {
	inner := strings.Trim(s, `"'`)
	if strings.HasPrefix(inner, "${") && strings.Contains(inner, "-") {
		return false // ${PASS:-secret}
	}
	switch {
	case inner == "" || inner == "***":
		return true
	case strings.HasPrefix(inner, "$") && !strings.ContainsAny(inner[1:], "@/"):
		return true
	}
	for _, form := range [...]string{"os.environ", "os.getenv", "process.env", "ENV[", "getenv(", "config.", "settings."} {
		if strings.HasPrefix(inner, form) {
			return true
		}
	}
	return false
}
