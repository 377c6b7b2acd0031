package roles

import (
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

func TestOfReadsThePathConventionsOfEveryEcosystem(t *testing.T) {
	for _, block := range []struct{ ecosystem, table string }{
		{"Go", `
server/http.go                                  -
server/http_test.go                             test
test_server.go                                  -
store/storetest/suite.go                        test
api/latest/types.go                             -
store/testhelpers.go                            test
cri/sandbox/run.go                              -
vendor/x/examples/a.go                          vendored
internal/testutil/clock.go                      test
testdata/golden/a.txt                           test documentation
vendor/golang.org/x/net/html.go                 vendored
external/client.go                              -
external/zlib/inflate.c                         vendored
api/v1/types.pb.go                              generated
pkg/apis/zz_generated.deepcopy.go               generated
cmd/tool/doc.go                                 package
examples/basic/main.go                          example
_examples/basic/main.go                         example
internal/docs/render.go                         -
go.mod                                          build
go.sum                                          generated
pkg/bench/run.go                                -
api/spec/types.go                               -
build/version.go                                -`},
		{"Python", `
src/flask/app.py                                -
src/flask/__init__.py                           package
tests/test_basic.py                             test
tests/conftest.py                               test
flask/test_views.py                             test
app/tests.py                                    test
docs/conf.py                                    documentation
pyproject.toml                                  configuration build
setup.py                                        build
requirements/dev.txt                            build
requirements-dev.txt                            build
pip/_vendor/six.py                              vendored
src/shop/vendor/models.py                       -
proto/a_pb2.py                                  generated
proto/a_pb2_grpc.py                             generated
stubs/six.pyi                                   declaration
asv_bench/bench.py                              example
poetry.lock                                     generated
locale/de/LC_MESSAGES/django.po                 translation`},
		{"JavaScript and TypeScript", `
src/index.ts                                    package
src/store.ts                                    -
src/store.test.ts                               test
src/store.spec.tsx                              test
src/__tests__/store.ts                          test
cypress/e2e/login.cy.ts                         test
e2e/login.js                                    test
dist/index.js                                   generated package
dist/vue.global.js                              generated
packages/a/build/index.js                       generated package
build/webpack.base.conf.js                      configuration build
build/config.ts                                 -
src/build/plan.js                               -
lib/jquery-3.6.0.js                             vendored
lib/jquery.js                                   -
static/app.min.js                               generated
node_modules/left-pad/index.js                  vendored package
types/global.d.ts                               declaration
src/Button.stories.tsx                          example
playground/app.vue                              example
src/playground/app.vue                          -
package.json                                    configuration build
package-lock.json                               generated
pnpm-lock.yaml                                  generated configuration
vite.config.ts                                  configuration build
tsconfig.json                                   configuration
.eslintrc                                       configuration
.eslintrc.js                                    configuration
src/locales/de.json                             translation
src/locale/pt-br.js                             translation
src/i18n/translate.ts                           -
spec/store_spec.js                              test`},
		{"Java and Kotlin", `
core/src/main/java/org/acme/Store.java          -
core/src/test/java/org/acme/StoreTest.java      test
acme-test/src/main/java/org/acme/test/Run.java  -
acme-test/src/main/java/org/acme/DataTest.java  -
src/main/java/com/example/demo/App.java         -
src/integrationTest/java/org/acme/Run.java      test
src/commonTest/kotlin/Run.kt                    test
src/commonMain/kotlin/Run.kt                    -
app/src/androidTest/java/Ui.kt                  test
old/StoreIT.java                                test
old/TestStore.java                              test
old/Testament.java                              -
old/AUDIT.java                                  -
old/KeySpec.java                                -
old/StoreSpec.kt                                test
src/main/java/com/shop/vendor/Vendor.java       -
src/main/resources/messages_de.properties       translation
src/main/resources/application.properties       configuration
app/src/main/res/values-de/strings.xml          translation
pom.xml                                         build
build.gradle.kts                                build
gradlew                                         vendored
src/main/java/org/acme/package-info.java        package
target/classes/a.js                             generated`},
		{"C#", `
src/Acme/Store.cs                               -
src/Acme.Tests/Fakes.cs                         test
test/Acme.UnitTests/StoreTests.cs               test
src/Acme/Contest.cs                             -
src/Acme/Form.Designer.cs                       generated
src/Acme/Acme.csproj                            build
Acme.sln                                        build
src/Acme/Resources/Strings.fr-CA.resx           translation
appsettings.json                                configuration`},
		{"Ruby", `
lib/acme/store.rb                               -
spec/acme/store_spec.rb                         test
spec/support/fakes.rb                           test
test/test_store.rb                              test
vendor/assets/javascripts/x.js                  vendored
Gemfile                                         build
Gemfile.lock                                    generated
acme.gemspec                                    build
Rakefile                                        build
config/locales/de.yml                           configuration translation
config/database.yml                             configuration`},
		{"PHP", `
src/Store.php                                   -
tests/StoreTest.php                             test
src/StoreTest.php                               test
composer.json                                   configuration build
resources/lang/de/messages.php                  translation
Zend/tests/bug.phpt                             test`},
		{"Rust", `
src/lib.rs                                      -
src/parser/mod.rs                               package
tests/cli.rs                                    test
src/parser/tests.rs                             test
benches/parse.rs                                example
examples/hello.rs                               example
build.rs                                        build
Cargo.toml                                      configuration build
Cargo.lock                                      generated`},
		{"Swift", `
Sources/Acme/Store.swift                        -
Tests/AcmeTests/StoreTests.swift                test
Package.swift                                   build
App/de.lproj/Localizable.strings                translation
Pods/Alamofire/Request.swift                    vendored`},
		{"Elixir and Erlang", `
lib/acme/store.ex                               -
test/acme/store_test.exs                        test
test/test_helper.exs                            test
deps/plug/lib/plug.ex                           vendored
mix.exs                                         build
apps/x/store_SUITE.erl                          test`},
		{"C and C++", `
src/store.c                                     -
src/store_unittest.cc                           test
test/store.cpp                                  test
tests/unit-store.cpp                            test
src/StoreTest.cpp                               test
third_party/zlib/inflate.c                      vendored
3rdparty/zlib/inflate.c                         vendored
single_include/json.hpp                         generated
proto/a.pb.cc                                   generated
CMakeLists.txt                                  build
cmake/FindZ.cmake                               build
Makefile.am                                     build
configure                                       build
docs/man/acme.1                                 documentation`},
		{"any", `
README.md                                       documentation
README                                          documentation
LICENSE                                         documentation
LICENSE.MIT                                     documentation
CHANGELOG.rst                                   documentation
Documentation/guide.adoc                        documentation
notes.txt                                       documentation
robots.txt                                      -
license.go                                      -
news.py                                         -
install.sh                                      -
history.json                                    -
website/src/pages/index.tsx                     documentation package
src/website/page.tsx                            -
.github/workflows/ci.yml                        configuration build
.github/ISSUE_TEMPLATE.md                       documentation
.gitlab-ci.yml                                  configuration build
Dockerfile                                      build
docker/Dockerfile.alpine                        build
docker-compose.override.yml                     configuration build
Makefile                                        build
scripts/rules.mk                                build
BUILD                                           build
build                                           -
Jenkinsfile                                     build
t/basic.t                                       test
test/run.bats                                   test
.gitignore                                      configuration
db/schema.sql                                   -
data/cities.json                                -
contest/latest/attestation.go                   -
`},
	} {
		t.Run(block.ecosystem, func(t *testing.T) {
			for line := range strings.Lines(strings.TrimSpace(block.table)) {
				p, want, _ := strings.Cut(strings.TrimSpace(line), " ")
				want = strings.Trim(strings.TrimSpace(want), "-")
				if got := strings.Join(Of(p, nil, nil, Hints{}).Names(), " "); got != want {
					t.Errorf("%-45s %q, want %q", p, got, want)
				}
			}
		})
	}
}

func TestOfCombinesRowTraitsAndAttributes(t *testing.T) {
	yes, no := true, false
	row := &lang.Language{Roles: func(p string) facts.Role { return facts.RoleDeclaration }}
	if got := Of("a.x", row, nil, Hints{}); got != facts.RoleDeclaration {
		t.Errorf("row: %v", got.Names())
	}
	f := &facts.File{Traits: facts.GeneratedHeader | facts.TestCode}
	if got := Of("a.x", nil, f, Hints{}); got != facts.RoleGenerated|facts.RoleTest {
		t.Errorf("traits: %v", got.Names())
	}
	if got := Of("a.x", nil, f, Hints{Generated: &no}); got != facts.RoleTest {
		t.Errorf("attribute takes away: %v", got.Names())
	}
	if got := Of("vendor/x/a.go", nil, nil, Hints{Vendored: &no, Documentation: &yes, Generated: &yes}); got != facts.RoleDoc|facts.RoleGenerated {
		t.Errorf("attributes: %v", got.Names())
	}
}

func TestOfTakesAnyPath(t *testing.T) {
	for _, p := range []string{"", "/", "a", ".", "..", ".x", "a//b", "İ/ſ/Test.java", "\xff/\x00.go", "test/", strings.Repeat("vendor/", 1000) + "x"} {
		a, b := Of(p, nil, nil, Hints{}), Of(p, nil, nil, Hints{})
		if a != b {
			t.Errorf("%q: %v then %v", p, a, b)
		}
	}
}

func FuzzOf(f *testing.F) {
	f.Add("src/main/java/com/example/FooTest.java")
	f.Add("İ/values-x/strings.xml")
	f.Fuzz(func(t *testing.T, p string) {
		if r := Of(p, nil, nil, Hints{}); r != Of(p, nil, nil, Hints{}) {
			t.Fatal("not a function of the path")
		}
	})
}

func BenchmarkOf(b *testing.B) {
	paths := []string{
		"core/src/main/java/org/acme/store/backend/Store.java", "packages/runtime-core/src/components/KeepAlive.ts",
		"daemon/containerd/image_builder_test.go", "docs/guide/en/intro.md", "vendor/golang.org/x/net/html/atom/table.go",
	}
	for i := 0; b.Loop(); i++ {
		Of(paths[i%len(paths)], nil, nil, Hints{})
	}
}
