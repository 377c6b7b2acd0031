package lua

import (
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func TestRoles(t *testing.T) {
	for p, want := range map[string]facts.Role{
		"spec/a_spec.lua": facts.RoleTest, "test_a.lua": facts.RoleTest, "a-1.0-1.rockspec": facts.RoleBuild,
		"kong/init.lua": facts.RolePackageInit, "a/b.lua": 0, "latest.lua": 0, ".luacheckrc": facts.RoleConfig,
	} {
		if got := roles(p); got != want {
			t.Errorf("%s: %v, want %v", p, got.Names(), want.Names())
		}
	}
}
