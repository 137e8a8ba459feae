package rules

import (
	"errors"
	"fmt"

	"github.com/hclint/hclint/internal/endpoints"
)

// endpointDir is where a tree of rules keeps its endpoint data.
const endpointDir = "data/endpoints"

// Endpoints returns the endpoint data that stands beside the rules; facts.Options takes it.
func (s *Set) Endpoints() (*endpoints.Table, error) {
	if len(s.sources) == 0 {
		return nil, errors.New("no rules are loaded")
	}
	table, err := endpoints.Load(s.sources[0].fsys, endpointDir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", endpointDir, err)
	}
	return table, nil
}
