package loader

import (
	"path"
	"strings"
)

// composeName reports names that people give Compose files. It helps where the content does not say enough: overrides often
// name no image.
func composeName(name string) bool {
	base := path.Base(name)
	stem := strings.TrimSuffix(base, path.Ext(base))
	return stem == "compose" || stem == "stack" || strings.HasPrefix(base, "docker-compose") || strings.HasPrefix(base, "docker-stack") ||
		strings.HasPrefix(base, "compose.") || strings.HasPrefix(base, "compose-") ||
		strings.HasPrefix(base, "podman-compose") || strings.HasSuffix(stem, "-compose") || strings.HasSuffix(stem, ".compose")
}

// compose adds a Compose file.
func (p *parser) compose(n Node) {
	o := p.newObject(n, identity{})
	o.Format, o.Name, o.root = Compose, n.Get("name").Text(), n.value()
	if key := n.Get("services").key; key != nil {
		o.kindAt, o.kindTo = p.file.contentAt(key), p.file.nodeEnd(key)
	}
	p.file.Objects = append(p.file.Objects, o)
}

// isCompose reports whether a mapping is a Compose file: its services look like Compose's, whatever the file's name. Other
// programs have a mapping of that name too (Symfony, Lando, Helm values, GitHub workflows below jobs).
func isCompose(name string, n Node) bool {
	services := n.Get("services")
	if services.Type() != Map || n.Get("apiVersion").raw != nil || n.Get("kind").raw != nil {
		return false
	}
	named := composeName(name)
	if !named && !composeTop(n) {
		return false
	}
	var c census
	for _, service := range services.Entries() {
		if !c.count(service) {
			return false
		}
	}
	if named {
		return c.services > 0 && (c.known > c.unknown || c.known+c.unknown == 0)
	}
	return c.founded > 0 && c.known >= 2*c.unknown
}

// census counts what the services of a file look like.
type census struct {
	services       int
	founded        int // that say what they run
	known, unknown int // keys
}

// count adds a service; false means that no service of Compose looks like it.
func (c *census) count(service Node) bool {
	c.services++
	switch service.Type() {
	case Map:
	case Null, Opaque: // of an override
		return true
	default:
		return false
	}
	known, unknown := serviceKeys(service)
	c.known, c.unknown = c.known+known, c.unknown+unknown
	if founds(service) {
		c.founded++
	}
	return true
}

// composeTop reports whether all top-level keys of n are Compose's.
func composeTop(n Node) bool {
	for key := range n.Entries() {
		switch key {
		case "version", "name", "services", "networks", "volumes", "secrets", "configs", "include", "models":
		default:
			if !strings.HasPrefix(key, "x-") {
				return false
			}
		}
	}
	return true
}

// founds reports whether a service says what it runs, in the form that Compose wants.
func founds(service Node) bool {
	if image := service.Get("image").Type(); image == String || image == Opaque {
		return true
	}
	build := service.Get("build").Type()
	extends := service.Get("extends").Type()
	return build == String || build == Map || extends == String || extends == Map
}

// serviceKeys counts the keys of a service that Compose knows and those that it does not.
func serviceKeys(service Node) (known, unknown int) {
	for key := range service.Entries() {
		switch {
		case strings.HasPrefix(key, "x-"):
		case isServiceKey(key):
			known++
		default:
			unknown++
		}
	}
	return known, unknown
}

// isServiceKey lists the keys of a service in the Compose specification, and those of the formats before it.
func isServiceKey(key string) bool {
	switch key {
	case "annotations", "attach", "blkio_config", "build", "cap_add", "cap_drop", "cgroup", "cgroup_parent", "command", "configs",
		"container_name", "cpu_count", "cpu_percent", "cpu_period", "cpu_quota", "cpu_rt_period", "cpu_rt_runtime", "cpu_shares",
		"cpus", "cpuset", "credential_spec", "depends_on", "deploy", "develop", "device_cgroup_rules", "devices", "dns", "dns_opt",
		"dns_search", "domainname", "driver_opts", "entrypoint", "env_file", "environment", "expose", "extends", "external_links",
		"extra_hosts", "gpus", "group_add", "healthcheck", "hostname", "image", "init", "ipc", "isolation", "label_file", "labels",
		"links", "logging", "mac_address", "mem_limit", "mem_reservation", "mem_swappiness", "memswap_limit", "models",
		"network_mode", "networks", "oom_kill_disable", "oom_score_adj", "pid", "pids_limit", "platform", "ports", "post_start",
		"pre_stop", "privileged", "profiles", "provider", "pull_policy", "read_only", "restart", "runtime", "scale", "secrets",
		"security_opt", "shm_size", "stdin_open", "stop_grace_period", "stop_signal", "storage_opt", "sysctls", "tmpfs", "tty",
		"ulimits", "use_api_socket", "user", "userns_mode", "uts", "volume_driver", "volumes", "volumes_from", "working_dir":
		return true
	}
	return false
}
