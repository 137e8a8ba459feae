package facts

import (
	"path"
	"strings"

	"github.com/hclint/hclint/loader"
)

// idle reports whether a container only waits, so that its pod is there for what its init containers did: pull images, tune the
// node. That is the pause image, or a command that sleeps and does nothing else.
func idle(n loader.Node) bool {
	if image := imageName(n.Get("image").Text()); image == "pause" || strings.HasPrefix(image, "pause-") {
		return true
	}
	var argv []string
	for _, list := range [...]string{keyCommand, "args"} {
		for _, w := range n.Get(list).Items() {
			argv = append(argv, w.Text())
		}
	}
	if len(argv) > 2 && isShell(path.Base(argv[0])) && strings.HasPrefix(argv[1], "-") && strings.HasSuffix(argv[1], "c") {
		argv = argv[2:]
	}
	return sleeps(strings.Join(argv, " "))
}

// sleeps reports whether a command line waits and does nothing else, once or in a loop.
func sleeps(script string) bool {
	script = strings.TrimPrefix(strings.TrimSpace(script), "exec ")
	command, loop := strings.CutPrefix(script, "while true; do ")
	if loop {
		command = strings.TrimRight(strings.TrimSuffix(strings.TrimSpace(command), "done"), "; ")
	}
	fields := strings.Fields(strings.TrimSuffix(strings.TrimSpace(command), ";"))
	switch len(fields) {
	case 2:
		return path.Base(fields[0]) == "sleep"
	case 3:
		return path.Base(fields[0]) == "tail" && fields[1] == "-f" && fields[2] == "/dev/null"
	}
	return false
}
