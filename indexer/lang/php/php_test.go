package php

import (
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func TestRoles(t *testing.T) {
	for p, want := range map[string]facts.Role{
		"tests/StoreTest.php": facts.RoleTest, "tests/TestCase.php": facts.RoleTest, "a_test.php": facts.RoleTest,
		"src/Store.php": 0, "src/Latest.php": 0,
	} {
		if got := roles(p); got != want {
			t.Errorf("%s: %v, want %v", p, got.Names(), want.Names())
		}
	}
}

// TestMask holds that only code is left of a text.
func TestMask(t *testing.T) {
	for source, want := range map[string]string{
		"a <?php b ?> c":                "        b      ",
		"<?php 'x' . \"y\\\"\" . z; #c": "          .       . z;   ",
		"<?php <<<A\n{\nA; b":           "          \n \n ; b",
		"<?= $a // } ?> {":              "    $a          ",
		"<?php #[A] f":                  "      #[A] f",
		"<?php /* { ":                   "           ",
	} {
		if got := string(maskCode([]byte(source))); strings.TrimRight(got, " ") != strings.TrimRight(want, " ") || len(got) != len(source) {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
	}
}
