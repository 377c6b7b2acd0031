package bash

import (
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func TestRoles(t *testing.T) {
	for p, want := range map[string]facts.Role{
		"test/a.bats": facts.RoleTest, "a_test.sh": facts.RoleTest, "lib/tests/cli.test.zsh": facts.RoleTest, "test-foo.sh": facts.RoleTest,
		".bashrc": facts.RoleConfig, "home/.profile": facts.RoleConfig, "lib/a.sh": 0, "latest.sh": 0,
	} {
		if got := roles(p); got != want {
			t.Errorf("%s: %v, want %v", p, got.Names(), want.Names())
		}
	}
}
