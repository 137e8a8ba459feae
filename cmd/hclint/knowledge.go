package main

import (
	"fmt"

	"github.com/hclint/hclint/internal/config"
	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/rules"
)

// factsOptions are what the flags, the configuration and the endpoint data say about the input.
func factsOptions(o *inputOptions, set *rules.Set, conf *config.Config) (facts.Options, error) {
	opt := conf.Facts()
	opt.KubeVersion, opt.Jobs = o.kube, o.jobs
	known, err := set.Endpoints()
	if err != nil {
		return opt, err
	}
	if opt.Endpoints, err = known.With(conf.Endpoints); err != nil {
		return opt, fmt.Errorf("%s: endpoints: %w", conf.File, err)
	}
	return opt, nil
}
