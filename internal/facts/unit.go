package facts

// SubjectUnit is a systemd service.
const SubjectUnit = "unit"

// Unit is the input for a subject of kind unit: a systemd service with its drop-ins, or one of those drop-ins.
type Unit struct {
	Subject string `json:"subject" jsonschema:"enum=unit"`
	Name    string `json:"name" jsonschema:"description=of the unit: api.service"`
	// Dropin: the file is a drop-in; what it does not say comes from the unit.
	Dropin bool        `json:"dropin"`
	Type   string      `json:"type" jsonschema:"description=Type of the service; simple when unset"`
	Limit  UnitLimit   `json:"limit"`
	Keys   UnitKeys    `json:"keys"`
	Stray  []StrayUnit `json:"stray" jsonschema:"description=keys about restarts in a section where systemd does not read them"`
}

// UnitKeys are the settings about restarts, as systemd reads them.
type UnitKeys struct {
	Restart  UnitText `json:"restart"`
	Delay    UnitTime `json:"delay" jsonschema:"description=RestartSec"`
	Interval UnitTime `json:"interval" jsonschema:"description=StartLimitIntervalSec"`
	Burst    UnitText `json:"burst" jsonschema:"description=StartLimitBurst"`
	Action   UnitText `json:"action" jsonschema:"description=StartLimitAction"`
	// BackOff: RestartSteps and RestartMaxDelaySec let the delay grow (systemd 254 and later).
	BackOff bool `json:"back_off"`
	// MaxDelay is what it grows to.
	MaxDelay UnitTime `json:"max_delay"`
}

// UnitText is one setting.
type UnitText struct {
	Set  bool `json:"set"`
	Path Path `json:"path"`
	// Own: it stands in the file that is judged.
	Own   bool   `json:"own"`
	Key   string `json:"key" jsonschema:"description=as written: StartLimitInterval is the old name of StartLimitIntervalSec"`
	Known bool   `json:"known" jsonschema:"description=false for a template"`
	Text  string `json:"text" jsonschema:"description=as written; the default when unset"`
	Value int    `json:"value" jsonschema:"description=of a number"`
}

// UnitTime is a setting that is a time span.
type UnitTime struct {
	Set      bool    `json:"set"`
	Path     Path    `json:"path"`
	Own      bool    `json:"own"`
	Key      string  `json:"key"`
	Known    bool    `json:"known"`
	Text     string  `json:"text"`
	Seconds  float64 `json:"seconds"`
	Infinite bool    `json:"infinite"`
}

// UnitLimit is the arithmetic of the start limit.
type UnitLimit struct {
	// Known: Restart is on, and all numbers are known.
	Known bool `json:"known"`
	// Off: the interval or the burst is 0, so there is no limit.
	Off bool `json:"off"`
	// Trips: burst starts fit into the interval when the process fails soon enough.
	Trips bool `json:"trips"`
	// Longest is how long the process may run before it fails for the limit to trip, in seconds.
	Longest float64 `json:"longest"`
	// Needed is the interval, in seconds, that burst starts take when the process fails at once.
	Needed float64 `json:"needed"`
}

// StrayUnit is a key in the wrong section.
type StrayUnit struct {
	Path    Path   `json:"path"`
	Key     string `json:"key"`
	Text    string `json:"text"`
	Section string `json:"section" jsonschema:"description=where it stands"`
	Home    string `json:"home" jsonschema:"description=the section where systemd reads it; empty for an unknown key"`
	// Meant is the key that was probably meant when systemd knows none of that name.
	Meant string `json:"meant"`
}
