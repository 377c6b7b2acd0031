package roles

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// Whole names of files, in lower case.
var (
	buildFiles = words(`makefile gnumakefile cmakelists.txt meson.build meson_options.txt meson.options sconstruct sconscript wscript
		configure.ac configure.in configure makefile.am makefile.in build workspace build.bazel workspace.bazel module.bazel buck
		dockerfile containerfile jenkinsfile vagrantfile tiltfile earthfile procfile justfile .justfile rakefile gemfile brewfile
		gulpfile.js gruntfile.js jakefile.js taskfile.yml taskfile.yaml skaffold.yaml
		docker-compose.yml docker-compose.yaml compose.yml compose.yaml
		.gitlab-ci.yml .travis.yml appveyor.yml .appveyor.yml .drone.yml bitbucket-pipelines.yml cloudbuild.yaml cloudbuild.yml
		azure-pipelines.yml .cirrus.yml .pre-commit-config.yaml .goreleaser.yml .goreleaser.yaml buildspec.yml netlify.toml vercel.json
		package.json lerna.json nx.json turbo.json rush.json pnpm-workspace.yaml deno.json deno.jsonc bower.json
		go.mod go.work pom.xml build.xml ivy.xml build.sbt settings.gradle build.gradle gradle.properties
		pyproject.toml setup.py setup.cfg tox.ini noxfile.py pipfile environment.yml environment.yaml manifest.in
		cargo.toml build.rs composer.json mix.exs rebar.config package.swift podfile cartfile dune dune-project stack.yaml
		pubspec.yaml project.clj deps.edn shard.yml build.zig build.zig.zon project.toml conanfile.txt conanfile.py vcpkg.json
		directory.build.props directory.build.targets directory.packages.props nuget.config global.json
		flake.nix default.nix shell.nix android.mk android.bp kconfig`)
	buildExts = words(`.mk .cmake .gradle .sbt .bzl .bazel .gemspec .podspec .csproj .fsproj .vbproj .vcxproj .sln .slnx .props .targets
		.cabal .dockerfile .nix .gyp .gypi .gn .gni .pri .pro .am .m4 .rockspec .nuspec`)
	configExts = words(`.toml .yaml .yml .ini .cfg .conf .cnf .config .properties .env .hcl .tfvars .plist .editorconfig .desktop .service .pbxproj .xcconfig`)
	lockFiles  = words(`package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock cargo.lock go.sum go.work.sum
		composer.lock gemfile.lock gems.locked poetry.lock pipfile.lock pdm.lock uv.lock pixi.lock mix.lock pubspec.lock podfile.lock
		cartfile.resolved package.resolved flake.lock gradle.lockfile buildscript-gradle.lockfile packages.lock.json paket.lock conan.lock
		.terraform.lock.hcl module.bazel.lock stack.yaml.lock cabal.project.freeze chart.lock shard.lock aclocal.m4 makefile.in`)
	docNames = words(`readme changes changelog history news authors contributors contributing license licence licenses copying copyright notice
		upgrading upgrade releases release-notes maintainers code_of_conduct security support governance credits thanks todo patents
		codeowners install`)
	packageFiles = words(`__init__.py package-info.java module-info.java doc.go mod.rs package.d index.js index.ts index.tsx index.jsx index.mjs index.cjs index.mts index.cts`)
	testFiles    = words(`conftest.py tests.py test.py tests.rs test.rs test.js test.ts tests.js tests.ts test.c test.cpp test.cc test.rb test.php
		test_helper.rb spec_helper.rb rails_helper.rb test_helper.exs runtests.jl runtests.py pytest.ini phpunit.xml phpunit.xml.dist
		karma.conf.js setuptests.js setuptests.ts`)
	wrappers = words(`gradlew gradlew.bat gradle-wrapper.jar gradle-wrapper.properties mvnw mvnw.cmd config.guess config.sub ltmain.sh install-sh depcomp missing`)
)

// Ends of names of generated files, in lower case, each with the byte that
// starts it.
var generatedEnds = []string{
	".min.js", ".min.mjs", ".min.css", "-min.js", ".bundle.js", ".chunk.js", ".js.map", ".css.map", ".mjs.map",
	".pb.go", ".pb.gw.go", ".pb.validate.go", ".connect.go", "_pb2.py", "_pb2.pyi", "_pb2_grpc.py", "_pb2_grpc.pyi", ".pb.h", ".pb.cc", ".pb.rs", "_pb.js", "_pb.ts", "_pb.d.ts", "_grpc_pb.js", ".pb.ts", ".pbjson.dart", ".pb.dart", ".pbenum.dart",
	".gen.go", ".gen.ts", ".gen.js", ".gen.cs", ".gen.rs", "_gen.rs", ".g.dart", ".freezed.dart", ".mocks.dart", ".gr.dart", ".g.cs", ".g.i.cs", ".designer.cs", ".designer.vb", "bindata.go", "_easyjson.go", "_ffjson.go",
	".tab.c", ".tab.h", ".yy.c", ".xcworkspacedata",
}

var generatedInfixes = []string{".generated.", "_generated.", ".autogen.", ".auto."}

// fromBase reads the name of the file itself.
func (n *name) fromBase() facts.Role {
	role := n.special()
	if n.isTestName() {
		role |= facts.RoleTest
	}
	if n.isGeneratedName() {
		role |= facts.RoleGenerated
	}
	if n.isBuildName() {
		role |= facts.RoleBuild
	}
	if n.isDocName() && role&facts.RoleBuild == 0 {
		role |= facts.RoleDoc
	}
	if role&(facts.RoleDoc|facts.RoleLocale) == 0 && n.isConfigName() {
		role |= facts.RoleConfig
	}
	return role
}

// special covers the roles that one name decides.
func (n *name) special() (role facts.Role) {
	switch {
	case wrappers[n.low]:
		role |= facts.RoleVendored
	case packageFiles[n.low]:
		role |= facts.RolePackageInit
	case lockFiles[n.low]:
		role |= facts.RoleGenerated
	}
	switch n.ext {
	case ".po", ".pot", ".xlf", ".xliff", ".arb", ".strings", ".stringsdict":
		role |= facts.RoleLocale
	case ".pyi":
		role |= facts.RoleDeclaration
	case ".resx", ".properties":
		// Messages_de.properties, Strings.fr-CA.resx
		cut := strings.LastIndexAny(n.stem, "._")
		if cut > 0 && isLanguageTag(n.stem[cut+1:]) || cut > 2 && isLanguageTag(n.stem[cut-2:]) && (n.stem[cut-3] == '_' || n.stem[cut-3] == '.') {
			role |= facts.RoleLocale
		}
	case ".js", ".css":
		if n.isLibraryCopy() {
			role |= facts.RoleVendored
		}
	}
	if strings.HasSuffix(n.low, ".d.ts") || strings.HasSuffix(n.low, ".d.mts") || strings.HasSuffix(n.low, ".d.cts") {
		role |= facts.RoleDeclaration
	}
	if n.family == script && (strings.HasSuffix(n.stem, ".stories") || strings.HasSuffix(n.stem, ".story") || strings.HasSuffix(n.stem, ".bench")) {
		role |= facts.RoleExample
	}
	return role
}

// isLibraryCopy tells names under which well-known browser libraries are
// copied into a repository.
func (n *name) isLibraryCopy() bool {
	stem := strings.TrimSuffix(n.stem, ".min")
	for _, lib := range []string{"jquery", "bootstrap", "modernizr", "font-awesome", "fontawesome", "normalize"} {
		rest, ok := strings.CutPrefix(stem, lib)
		if !ok {
			continue
		}
		// The bare name may be a project's own wrapper, unless minified.
		if rest == "" && stem != n.stem || len(rest) > 1 && (rest[0] == '-' || rest[0] == '.') && rest[1] >= '0' && rest[1] <= '9' {
			return true
		}
	}
	return false
}

func (n *name) isTestName() bool {
	if testFiles[n.low] {
		return true
	}
	s := n.stem
	suffix := func(ends ...string) bool {
		for _, e := range ends {
			if len(s) > len(e) && strings.HasSuffix(s, e) {
				return true
			}
		}
		return false
	}
	switch n.family {
	case golang:
		return suffix("_test") || s == "testutil" || s == "testutils" || s == "testhelper" || s == "testhelpers" || s == "test_helpers" || s == "test_utils"
	case python:
		return strings.HasPrefix(s, "test_") || suffix("_test", "_tests")
	case script:
		return suffix(".test", ".spec", ".tests", ".specs", ".e2e", ".cy", ".e2e-spec", "-test", "_test", "-tests", "-spec", "_spec", ".unit", ".test-d", ".spec-d") || strings.HasPrefix(s, "test-") || strings.HasPrefix(s, "test_")
	case jvm, dotnet, swift:
		return n.isTestClass()
	case php:
		return n.ext == ".phpt" || n.isTestClass() || strings.HasSuffix(n.base, "Cest.php") || strings.HasSuffix(n.base, "Cept.php")
	case ruby:
		return suffix("_spec", "_test") || strings.HasPrefix(s, "test_")
	case rust:
		return suffix("_test", "_tests") || strings.HasPrefix(s, "test_")
	case clang:
		return suffix("_test", "_tests", "_unittest", "_unittests", "_gtest", "-test", "-tests", "_spec") || strings.HasPrefix(s, "test_") || strings.HasPrefix(s, "test-") || strings.HasPrefix(s, "unit-") || n.isTestClass()
	case perl:
		return n.ext == ".t"
	case otherCode:
		switch n.ext {
		case ".bats":
			return true
		case ".erl":
			return suffix("_suite", "_tests")
		case ".hs":
			return strings.HasSuffix(n.base, "Spec.hs") || strings.HasSuffix(n.base, "Test.hs")
		case ".r":
			return strings.HasPrefix(s, "test-") || strings.HasPrefix(s, "test_")
		case ".sol":
			return strings.HasSuffix(s, ".t")
		case ".sv", ".v", ".vhd":
			return suffix("_tb", "_test") || strings.HasPrefix(s, "tb_") || strings.HasPrefix(s, "test_")
		}
		return suffix("_test", "_tests", "_spec", "-test") || strings.HasPrefix(s, "test_") || strings.HasPrefix(s, "test-")
	}
	switch n.ext {
	case ".feature", ".snap":
		return true
	}
	return false
}

// isTestClass tells FooTest, FooTests, TestFoo, FooIT, FooSpec of languages
// that name a file by its class. Sources under src/main are product code
// whatever they are called.
func (n *name) isTestClass() bool {
	if strings.Contains("/"+n.lower, "/src/main/") {
		return false
	}
	s := n.base
	if i := strings.LastIndexByte(s, '.'); i > 0 {
		s = s[:i]
	}
	for _, end := range []string{"Test", "Tests", "TestCase", "TestCases", "TestBase", "TestSuite", "Spec", "Specs", "IT", "ITCase", "UnitTest"} {
		if rest, ok := strings.CutSuffix(s, end); ok && rest != "" {
			if c := rest[len(rest)-1]; c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '.' {
				if end == "Spec" && (n.family == clang || n.family == dotnet || n.family == swift || n.ext == ".java") {
					return false // PodSpec, KeySpec
				}
				return end != "IT" || n.family == jvm
			}
			if end == "Test" || end == "Tests" {
				return true // HTTPTest
			}
		}
	}
	rest, ok := strings.CutPrefix(s, "Test")
	return ok && n.family == jvm && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z'
}

func (n *name) isGeneratedName() bool {
	if strings.HasPrefix(n.low, "zz_generated") || strings.HasPrefix(n.low, "zz_fake_") {
		return true
	}
	for _, e := range generatedEnds {
		if strings.HasSuffix(n.low, e) {
			return true
		}
	}
	for _, i := range generatedInfixes {
		if strings.Contains(n.low, i) {
			return true
		}
	}
	return false
}

func (n *name) isBuildName() bool {
	if buildFiles[n.low] {
		// BUILD is a file of a build tool, build may be anything.
		return n.low != "build" && n.low != "workspace" && n.low != "buck" || n.base != n.low
	}
	if buildExts[n.ext] && n.stem != "" || strings.HasSuffix(n.low, ".gradle.kts") {
		return true
	}
	for _, p := range []string{"dockerfile.", "makefile.", "jenkinsfile.", "docker-compose.", "compose.", "azure-pipelines", "requirements", "constraints", "webpack.", "rollup.", "vite.config", "esbuild.", "tsup.config", "rspack.config", "babel.config", "gulpfile."} {
		if !strings.HasPrefix(n.low, p) {
			continue
		}
		switch p {
		case "requirements", "constraints":
			return n.ext == ".txt" || n.ext == ".in"
		case "docker-compose.", "compose.", "azure-pipelines":
			return n.ext == ".yml" || n.ext == ".yaml"
		case "webpack.", "rollup.", "esbuild.":
			return strings.Contains(n.low, "conf") && n.family == script
		}
		return true
	}
	// requirements/dev.txt
	return (n.ext == ".txt" || n.ext == ".in") && strings.HasSuffix(n.lower[:len(n.lower)-len(n.low)], "requirements/")
}

func (n *name) isDocName() bool {
	if n.family == prose {
		return n.ext != ".txt" || n.low != "robots.txt" && n.low != "humans.txt"
	}
	if n.isCode() {
		return false
	}
	switch n.ext {
	case ".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8":
		return true // manual pages
	}
	if docNames[n.low] {
		return true
	}
	if docNames[n.stem] {
		switch n.ext {
		case ".json", ".yml", ".yaml", ".toml", ".xml":
			return false
		}
		return true
	}
	return false
}

func (n *name) isConfigName() bool {
	if configExts[n.ext] || buildFiles[n.low] && n.ext == ".json" {
		return true
	}
	if len(n.low) > 1 && n.low[0] == '.' && !n.isCode() && n.family != prose {
		return true // .eslintrc, .gitignore
	}
	if n.ext == ".json" || n.ext == ".jsonc" || n.ext == ".json5" || n.ext == ".xml" {
		for _, w := range []string{"config", "conf", "settings", "rc", "manifest"} {
			if strings.HasSuffix(n.stem, w) {
				return true
			}
		}
		return strings.HasPrefix(n.low, "tsconfig") || strings.HasPrefix(n.low, "appsettings") || n.low == "package.json"
	}
	if n.family == script || n.family == python || n.family == php {
		return strings.HasSuffix(n.stem, ".config") || strings.HasSuffix(n.stem, ".conf") || n.family == script && n.low[0] == '.' && strings.HasSuffix(n.stem, "rc")
	}
	return false
}
