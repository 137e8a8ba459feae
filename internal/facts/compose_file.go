package facts

import (
	"github.com/hclint/hclint/loader"
)

// composes prepares a subject for each Compose file.
func composes(files []*loader.File) []Subject {
	all := newComposeFiles(files)
	if len(all) == 0 {
		return nil
	}
	var out []Subject
	for _, f := range files {
		for _, o := range f.Objects {
			if o.Format == loader.Compose {
				out = append(out, composeSubject(all, o))
			}
		}
	}
	return out
}

func composeSubject(all composeFiles, o *loader.Object) Subject {
	p := &project{object: o, services: all.services(o)}
	p.readSwarm()
	p.readHealers()
	input := &Compose{Subject: SubjectCompose, Name: o.Name, Swarm: p.swarm, Services: []ComposeService{}}
	subject := Subject{Kind: SubjectCompose, File: o.File, Object: o, Input: input}
	for _, s := range p.services {
		input.Partial = input.Partial || s.partial
		if s.own.Type() == loader.Absent {
			continue // the file that is overridden is judged by itself
		}
		input.Services = append(input.Services, p.service(s, &subject))
	}
	p.shareOut(input.Services)
	return subject
}

// project is a Compose file with its services put together.
type project struct {
	object   *loader.Object
	services []*composeService
	swarm    Swarm
	healers  []healer
}

func (p *project) service(s *composeService, subject *Subject) ComposeService {
	image, _ := shownText(s.get("image"))
	out := ComposeService{
		Name: s.name, Image: image, Path: s.own.Path(), Partial: s.partial,
		Restart: readComposeRestart(s), RestartPolicy: readComposeRestartPolicy(s),
		Mode: "replicated", Replicas: composeReplicas(s),
	}
	if mode := s.get("deploy", "mode").Text(); mode != "" {
		out.Mode = mode
	}
	out.Exit = composeExit(s, &out, p.swarm.Confidence != "")
	out.Health = readHealthcheck(s)
	out.Actor = p.actor(s, &out)
	if out.Actor.Name != "" && len(out.Health.Command) > 0 {
		p.reach(s, &out, subject)
	}
	for i, word := range out.Health.Command {
		out.Health.Command[i] = withoutHoles(word)
	}
	out.Own = out.Restart.Own || out.RestartPolicy.Own || out.Health.Own || out.Actor.Own || s.get("extends").Type() == loader.Absent
	return out
}

// composeReplicas is deploy.replicas, else scale, else 1.
func composeReplicas(s *composeService) Count {
	for _, keys := range [][]string{{"deploy", "replicas"}, {"scale"}} {
		n := s.get(keys...)
		if !n.Present() {
			continue
		}
		if i, ok := composeInt(n); ok {
			return Count{Known: true, Value: i, From: "replicas"}
		}
		return Count{From: "replicas"}
	}
	return Count{Known: true, Value: 1, From: "default"}
}

// shareOut leaves what several services have from one text, through an anchor, to the first of them.
func (p *project) shareOut(services []ComposeService) {
	first := map[loader.Pos]int{}
	claim := func(i int, own *bool, at Path, also func(*ComposeService) *[]string) {
		if !*own {
			return
		}
		start := p.object.Find(at).KeySpan().Start
		j, taken := first[start]
		if !taken {
			first[start] = i
			return
		}
		*own = false
		list := also(&services[j])
		*list = append(*list, services[i].Name)
	}
	for i := range services {
		s := &services[i]
		claim(i, &s.Restart.Own, s.Restart.Path, func(s *ComposeService) *[]string { return &s.Restart.Also })
		claim(i, &s.RestartPolicy.Own, s.RestartPolicy.Path, func(s *ComposeService) *[]string { return &s.RestartPolicy.Also })
		switch s.Exit.From {
		case "restart":
			s.Exit.Own = s.Restart.Own
		case "restart_policy":
			s.Exit.Own = s.RestartPolicy.Own
		}
	}
}
