package facts

// SubjectCompose is a Compose file.
const SubjectCompose = "compose"

// Compose is the input for a subject of kind compose: a Compose file with what its services take from the services that they
// extend and, for an override, from the file that it overrides.
type Compose struct {
	Subject string `json:"subject" jsonschema:"enum=compose"`
	Name    string `json:"name" jsonschema:"description=of the project; empty when the file does not say"`
	// Swarm: the file is written for docker stack deploy.
	Swarm    Swarm            `json:"swarm"`
	Services []ComposeService `json:"services"`
	// Partial: a file that services extend was not read.
	Partial bool `json:"partial"`
}

// Swarm says whether a Compose file is deployed as a stack, which nothing in it says outright.
type Swarm struct {
	Confidence string `json:"confidence" jsonschema:"enum=,enum=likely,enum=certain,description=empty for plain Compose"`
	Why        string `json:"why" jsonschema:"description=what only Swarm reads: deploy.placement of service api"`
}

// ComposeService is one service of a Compose file.
type ComposeService struct {
	Name  string `json:"name"`
	Image string `json:"image" jsonschema:"description=empty when it is built or not known"`
	Path  Path   `json:"path"`
	// Own: the service stands in this file with something of its own that decides whether and when it restarts.
	Own           bool                 `json:"own"`
	Restart       ComposeRestart       `json:"restart"`
	RestartPolicy ComposeRestartPolicy `json:"restart_policy"`
	// Exit is what the engine does when the container exits, after both.
	Exit     ComposeExit `json:"exit"`
	Mode     string      `json:"mode" jsonschema:"description=deploy.mode; replicated when unset"`
	Replicas Count       `json:"replicas"`
	Health   Healthcheck `json:"health"`
	// Actor restarts the container when its healthcheck fails. Without one an unhealthy container is only marked so.
	Actor ComposeActor `json:"actor"`
	// Partial: a part of the service was not read.
	Partial bool `json:"partial"`
}

// ComposeRestart is the key restart.
type ComposeRestart struct {
	Set  bool `json:"set"`
	Path Path `json:"path"`
	// Own: it stands in this file, and no service before this one has the very same text (through an anchor).
	Own  bool     `json:"own"`
	Also []string `json:"also" jsonschema:"description=other services that have it from the same text"`
	// Known is false for a variable without a default.
	Known  bool   `json:"known"`
	Text   string `json:"text" jsonschema:"description=as written, with the defaults of variables"`
	Type   string `json:"type" jsonschema:"enum=absent,enum=null,enum=bool,enum=number,enum=string,enum=list,enum=map,enum=unknown"`
	Word   string `json:"word" jsonschema:"description=a boolean as it is written: no or false"`
	Policy string `json:"policy" jsonschema:"enum=,enum=no,enum=always,enum=unless-stopped,enum=on-failure,description=empty when it is none of these"`
	// Count is the number after on-failure; 0 without.
	Count    int  `json:"count"`
	HasCount bool `json:"has_count"`
	BadCount bool `json:"bad_count" jsonschema:"description=what stands after the colon is no number"`
	// Suggestion is the policy that was probably meant.
	Suggestion string `json:"suggestion"`
}

// ComposeRestartPolicy is deploy.restart_policy.
type ComposeRestartPolicy struct {
	Set          bool     `json:"set"`
	Path         Path     `json:"path"`
	Own          bool     `json:"own"`
	Also         []string `json:"also"`
	Known        bool     `json:"known"`
	Condition    string   `json:"condition" jsonschema:"description=as written; empty when unset"`
	HasCondition bool     `json:"has_condition"`
	MaxAttempts  int      `json:"max_attempts"`
	HasAttempts  bool     `json:"has_attempts"`
	Delay        string   `json:"delay" jsonschema:"description=as written; empty when unset"`
	Window       string   `json:"window" jsonschema:"description=as written; empty when unset"`
	// DelaySeconds is Swarm's pause before a restart, 5 when unset; WindowSeconds is the time in which it counts, 0 for ever.
	DelaySeconds  float64 `json:"delay_seconds"`
	WindowSeconds float64 `json:"window_seconds"`
}

// ComposeExit is what happens when a container exits.
type ComposeExit struct {
	Policy string `json:"policy" jsonschema:"enum=unknown,enum=no,enum=always,enum=unless-stopped,enum=on-failure"`
	// Cap is the most restarts; 0 for no cap.
	Cap  int    `json:"cap"`
	From string `json:"from" jsonschema:"enum=restart,enum=restart_policy,enum=default"`
	Path Path   `json:"path" jsonschema:"description=of the key that decides; of the service for a default"`
	Own  bool   `json:"own"`
}

// Healthcheck is the healthcheck of a service with the engine's defaults filled in.
type Healthcheck struct {
	Set      bool   `json:"set"`
	Disabled bool   `json:"disabled"`
	Path     Path   `json:"path" jsonschema:"description=of healthcheck"`
	TestPath Path   `json:"test_path" jsonschema:"description=of its test or of healthcheck when the test stands elsewhere"`
	Own      bool   `json:"own"`
	Form     string `json:"form" jsonschema:"enum=,enum=CMD,enum=CMD-SHELL,enum=NONE,enum=invalid,description=empty when the image brings the test"`
	// Command is the test as the engine runs it.
	Command []string `json:"command"`
	// Known is false when a timing is a variable without a default.
	Known       bool    `json:"known"`
	Interval    float64 `json:"interval" jsonschema:"description=seconds from the end of one check to the start of the next"`
	Timeout     float64 `json:"timeout"`
	StartPeriod float64 `json:"start_period"`
	Retries     int     `json:"retries"`
	// Harmless: an outage shorter than this many seconds makes no container unhealthy. Fatal: one at least this long makes every
	// container unhealthy.
	Harmless   float64  `json:"harmless"`
	Fatal      float64  `json:"fatal"`
	Programs   []string `json:"programs"`
	Targets    []Target `json:"targets"`
	Opaque     string   `json:"opaque"`
	NeverFails bool     `json:"never_fails"`
}

// ComposeActor is what restarts a container that is unhealthy.
type ComposeActor struct {
	Name       string `json:"name" jsonschema:"enum=,enum=Swarm,enum=autoheal,enum=deunhealth,description=empty when nothing does"`
	Confidence string `json:"confidence" jsonschema:"enum=,enum=likely,enum=certain"`
	Why        string `json:"why" jsonschema:"description=what says so: label autoheal"`
	// Label is the label that tells a helper to act; empty for one that watches all containers, which is the service Helper.
	Label  string `json:"label"`
	Helper string `json:"helper" jsonschema:"description=service that is the helper; empty when it runs elsewhere"`
	Path   Path   `json:"path"`
	Own    bool   `json:"own"`
}
