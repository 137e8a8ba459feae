package reach

import "strings"

func sayCurl(_ *process, c *invocation, up bool) string { return curlOutput(c, up) }

func curlOutput(c *invocation, up bool) string {
	var out strings.Builder
	if _, toFile := c.flag("o output"); up && !toFile && !c.has("O remote-name") {
		if c.has("I head i include") {
			out.WriteString("HTTP/1.1 200 OK\r\n")
		}
		out.WriteString(answer)
	}
	if format, ok := c.flag("w write-out"); ok {
		code := "000"
		if up {
			code = "200"
		}
		format = strings.NewReplacer("%{http_code}", code, "%{response_code}", code, "\\n", "\n").Replace(format)
		for {
			from := strings.Index(format, "%{")
			to := strings.Index(format[max(from, 0):], "}")
			if from < 0 || to < 0 {
				break
			}
			format = format[:from] + answer + format[from+to+1:]
		}
		out.WriteString(format)
	}
	return out.String()
}

func sayWget(_ *process, c *invocation, up bool) string {
	if !up {
		return ""
	}
	if v, ok := c.flag("O output-document"); ok && (v == "-" || v == "/dev/stdout") {
		return answer
	}
	if c.has("S server-response") {
		return "HTTP/1.1 200 OK\n"
	}
	return ""
}

// saySocket answers ZooKeeper's four-letter word; what else a server says on a bare connection is not known.
func saySocket(p *process, c *invocation, up bool) string {
	switch {
	case !up:
		return ""
	case p.stdin != nil && !c.has("z") && strings.Contains(p.input(), "ruok"):
		return "imok"
	}
	return answer + "\n"
}

func sayNmap(_ *process, _ *invocation, up bool) string {
	if !up {
		return "Host seems down.\n"
	}
	return "Host is up.\nPORT STATE SERVICE\n" + answer + "/tcp open\n"
}

// sayAddress answers a look-up with the name itself: it leads to the same place as its address.
func sayAddress(_ *process, c *invocation, up bool) string {
	if !up || len(c.args) == 0 {
		return ""
	}
	name := c.args[len(c.args)-1]
	switch {
	case inList("hosts ahosts ahostsv4 ahostsv6", c.args[0]):
		return name + " " + name + "\n"
	case strings.Contains(strings.Join(c.args, " "), "+short"):
		for _, a := range c.args {
			if !strings.HasPrefix(a, "+") && !strings.HasPrefix(a, "@") {
				return a + "\n"
			}
		}
	}
	return answer + "\n"
}
