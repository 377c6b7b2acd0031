package ruby

import (
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func TestRoles(t *testing.T) {
	for p, want := range map[string]facts.Role{
		"spec/a_spec.rb": facts.RoleTest, "test/test_a.rb": facts.RoleTest, "a_test.rb": facts.RoleTest,
		"spec/spec_helper.rb": facts.RoleTest, "Rakefile": facts.RoleBuild, "lib/tasks/db.rake": facts.RoleBuild,
		"a.gemspec": facts.RoleBuild, "lib/a.rb": 0, "lib/latest.rb": 0,
	} {
		if got := roles(p); got != want {
			t.Errorf("%s: %v, want %v", p, got.Names(), want.Names())
		}
	}
}
