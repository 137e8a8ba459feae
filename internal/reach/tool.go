package reach

// tool is a row of the table of client programs: how its command line names a server, and how it behaves.
// Flag lists are space-separated, without dashes.
type tool struct {
	names      string // program names
	dependency string // the product it asks; "" for tools that ask anything
	scheme     string
	port       string // default port

	values   string // flags that take a value
	attached string // one-letter flags whose value is attached or absent (-pSECRET of mysql)
	host     string // flags whose value is a host, host:port or a list of them
	portFlag string
	url      string // flags whose value is a URL, DSN or conninfo
	args     argument

	env      string // variables that name the server, strongest first; "NAME:port" for one that names the port
	fallback fallback
	commands []command

	// read finds the servers of command lines that this grammar cannot express; nil leaves it to the grammar.
	read func(w *world, p *process, c *invocation) []endpoint
	// says is what it prints, where that depends on the command line.
	says func(p *process, c *invocation, up bool) string

	// waits is how long it waits for a server that does not answer, in seconds; 0 when that is not known. A flag of limits sets it.
	waits  float64
	limits string

	down int // exit status when the server is away
	// stated: down is documented, or read in the source of every usual implementation.
	stated bool
	out    string // what it prints when the server is healthy; "" means an answer that is not known
}

// argument says what the positional arguments of a tool are.
type argument int

const (
	argsNone     argument = iota
	argsURL               // each is a URL: curl, wget
	argsHostPort          // host port: nc, telnet
	argsHost              // each is a host: ping
	argsAddress           // the first is host:port or a URL: grpcurl
	argsDSN               // the first is a DSN or a database name: psql, mongosh
	argsServer            // the first is a host, the second a port: cqlsh
)

// fallback says what a tool talks to when nothing names a server.
type fallback int

const (
	fallbackNothing fallback = iota
	fallbackSelf             // its local socket or loopback
	fallbackRemote           // a server outside the pod, known only by what it is
	fallbackUnknown          // a configuration file that the bundle does not show
)

// command describes a subcommand of a tool: words that must follow each other, options aside.
type command struct {
	words      string
	inert      bool   // contacts nothing
	remote     bool   // asks dependency wherever it is configured, whatever the arguments say
	all        bool   // every server of the list must answer
	dependency string // what a remote command asks
	// quorum is what else must answer: a local agent only passes the command on.
	quorum string
	out    string
}
