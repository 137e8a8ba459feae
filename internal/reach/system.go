package reach

import (
	"path"
	"strconv"
	"strings"
)

// system answers the programs of the base system, as far as health scripts use them. ok is false for any other program.
func (w *world) system(p *process, program string, argv []string, site int) (status int, ok bool, err error) {
	args := argv[1:]
	switch program {
	case "true", ":":
		return 0, true, nil
	case "false":
		return 1, true, nil
	case "sleep", "usleep":
		return 0, true, w.sleep(program, args)
	case "test", "[":
		return w.testProgram(p, program, args, site), true, nil
	case "echo":
		p.print(strings.Join(args, " ") + "\n")
		return 0, true, nil
	case "exit":
		return 127, true, nil
	case "cat", "tac", "zcat":
		return w.cat(p, args, site), true, nil
	case "hostname", "uname", "date", "id", "whoami", "nproc", "pwd", "basename", "dirname", "readlink", "realpath", "seq", "printenv", "env", "which", "expr", "printf":
		return w.print(p, program, args, site), true, nil
	}
	if filter(program) {
		return w.filter(p, program, args, site), true, nil
	}
	if localProgram(program) {
		return w.local(p, program, site), true, nil
	}
	return 0, false, nil
}

func (w *world) sleep(program string, args []string) error {
	total := 0.0
	for _, a := range args {
		d := duration(a)
		if program == "usleep" {
			d /= 1e6
		}
		if tainted(a) {
			d = 1
		}
		total += d
	}
	if len(args) == 1 && (args[0] == "infinity" || args[0] == "inf") {
		total = 1e6
	}
	return w.tick(total)
}

func (w *world) testProgram(p *process, program string, args []string, site int) int {
	if program == "[" && len(args) > 0 {
		args = args[:len(args)-1]
	}
	t := &condition{world: w, site: site, words: args, dir: p.dir}
	result, ok := t.evaluate()
	switch {
	case !ok:
		return 2
	case result:
		return 0
	}
	return 1
}

// local is a program that looks at or changes the container only: files, processes, sockets.
func (w *world) local(p *process, program string, site int) int {
	status := w.status(site)
	if status == 0 {
		switch program {
		case "pgrep", "pidof":
			p.print("1\n")
		case "ps", "ls", "find", "stat", "ss", "netstat", "lsof", "df", "du", "free", "top", "ip", "ifconfig", "mktemp", "curl-config", "uptime", "file", "lsns", "busctl", "systemctl", "service", "s6-svstat", "sv", "supervisorctl":
			p.print(answer + "\n")
		}
	}
	return status
}

func localProgram(program string) bool {
	switch program {
	case "pgrep", "pidof", "ps", "pkill", "killall", "kill", "ls", "find", "stat", "ss", "netstat", "lsof", "df", "du", "free", "top", "ip", "ifconfig",
		"rm", "touch", "mkdir", "rmdir", "cp", "mv", "ln", "chmod", "chown", "mktemp", "file", "cmp", "diff", "mount", "mountpoint", "sync", "fuser", "truncate",
		"logger", "uptime", "systemctl", "service", "s6-svstat", "sv", "rc-service", "nginx", "apachectl", "apache2ctl", "httpd", "php-fpm", "md5sum", "sha256sum", "sha1sum",
		"install", "tty", "stty", "clear", "reset", "who", "w", "groups", "umount", "dd", "sysctl", "lscpu", "vmstat", "iostat", "lsblk", "blkid", "nvidia-smi", "gosleep":
		return true
	}
	return false
}

// cat prints files and standard input.
func (w *world) cat(p *process, args []string, site int) int {
	status, files := 0, 0
	for _, a := range args {
		if a == "-" {
			p.print(p.input())
			files++
			continue
		}
		if strings.HasPrefix(a, "-") {
			continue
		}
		files++
		text, ok := w.readFile(p, a, site)
		if !ok {
			status = 1
			continue
		}
		p.print(text)
	}
	if files == 0 {
		p.print(p.input())
	}
	return status
}

// readFile gives a file's text: of the bundle, of what the run wrote, or an unknown one.
func (w *world) readFile(p *process, name string, site int) (string, bool) {
	if tainted(name) {
		return unknown + "\n", w.status(site) == 0
	}
	full := path.Clean(w.absolute(p, name))
	w.run.mu.Lock()
	written := w.run.files[full]
	w.run.mu.Unlock()
	if written != nil {
		return written.String(), true
	}
	f, state := w.fs.open(full)
	switch {
	case f != nil:
		return f.text, true
	case state == missing || state == present:
		return "", false
	case full == "/dev/null":
		return "", true
	case full == "/dev/stdin":
		return p.input(), true
	case full == "/etc/hostname":
		return w.pod.name + "\n", true
	case strings.HasPrefix(full, virtualDir):
		return answer + "\n", true
	}
	return unknown + "\n", w.status(site) == 0
}

// which answers command -v, which and type: programs of the tables are taken to be installed.
func (w *world) which(p *process, args []string) int {
	status := 1
	for _, a := range args {
		if strings.HasPrefix(a, "-") {
			continue
		}
		if _, state := w.fs.open(w.absolute(p, a)); strings.Contains(a, "/") && state == missing {
			continue
		}
		status = 0
		w.trust()
		p.print(path.Join("/usr/bin", path.Base(a)) + "\n")
	}
	return status
}

func lastArg(args []string) string {
	for i := len(args) - 1; i >= 0; i-- {
		if !strings.HasPrefix(args[i], "-") {
			return args[i]
		}
	}
	return ""
}

// print answers programs that print something about the container or compute from their arguments.
func (w *world) print(p *process, program string, args []string, site int) int {
	switch program {
	case "hostname":
		p.print(w.hostname(args) + "\n")
	case "whoami":
		p.print("root\n")
	case "uname":
		p.print(w.uname(args) + "\n")
	case "pwd":
		p.print("/" + strings.TrimPrefix(p.dir, "/") + "\n")
	case "basename", "dirname", "readlink", "realpath":
		p.print(w.pathName(p, program, args))
	case "which":
		return w.which(p, args)
	case "printenv":
		return printenv(p, args)
	case "seq":
		p.print(sequence(args))
	case "expr":
		return w.expr(p, args, site)
	default:
		p.print(answer + "\n")
	}
	return 0
}

// pathName answers the programs that take paths apart.
func (w *world) pathName(p *process, program string, args []string) string {
	switch program {
	case "basename":
		return baseName(args)
	case "dirname":
		return path.Dir(lastArg(args)) + "\n"
	}
	return w.absolute(p, lastArg(args)) + "\n"
}

func baseName(args []string) string {
	switch len(args) {
	case 0:
		return ""
	case 1:
		return path.Base(args[0]) + "\n"
	}
	return strings.TrimSuffix(path.Base(args[0]), args[1]) + "\n"
}

func (w *world) hostname(args []string) string {
	for _, a := range args {
		switch a {
		case "-i", "-I", "--ip-address", "--all-ip-addresses":
			return podIP
		case "-d":
			return "cluster.local"
		}
	}
	return w.pod.name
}

func (w *world) uname(args []string) string {
	if len(args) == 1 && inList("-n --nodename", args[0]) {
		return w.pod.name
	}
	return answer
}

func printenv(p *process, args []string) int {
	if len(args) == 0 {
		p.print(answer + "\n")
		return 0
	}
	v, ok := p.getenv(args[0])
	if !ok {
		return 1
	}
	p.print(v + "\n")
	return 0
}

func sequence(args []string) string {
	var last int
	first := 1
	switch len(args) {
	case 1:
		last, _ = strconv.Atoi(args[0])
	case 2:
		first, _ = strconv.Atoi(args[0])
		last, _ = strconv.Atoi(args[1])
	default:
		return answer + "\n"
	}
	var b strings.Builder
	for i := first; i <= last && i < first+1000; i++ {
		b.WriteString(strconv.Itoa(i))
		b.WriteByte('\n')
	}
	return b.String()
}

func (w *world) expr(p *process, args []string, site int) int {
	if len(args) == 3 && !anyTainted(args) {
		a, errA := strconv.Atoi(args[0])
		b, errB := strconv.Atoi(args[2])
		if errA == nil && errB == nil {
			n := 0
			switch args[1] {
			case "+":
				n = a + b
			case "-":
				n = a - b
			case "*":
				n = a * b
			}
			p.print(strconv.Itoa(n) + "\n")
			return 0
		}
	}
	p.print(answer + "\n")
	return w.status(site)
}
