package elixir

import (
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func TestRoles(t *testing.T) {
	for p, want := range map[string]facts.Role{
		"test/app/user_test.exs": facts.RoleTest, "test/test_helper.exs": facts.RoleTest, "mix.exs": facts.RoleBuild,
		"apps/web/mix.exs": facts.RoleBuild, "mix.lock": facts.RoleBuild, "config/runtime.exs": facts.RoleConfig,
		".formatter.exs": facts.RoleConfig, "lib/app/test.ex": 0, "lib/config/app.ex": 0, "priv/repo/seeds.exs": 0,
	} {
		if got := roles(p); got != want {
			t.Errorf("%s: %v, want %v", p, got.Names(), want.Names())
		}
	}
}
