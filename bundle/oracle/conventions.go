package oracle

import (
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// convention is what people of an ecosystem run without being told, by the name
// of a task: where a file of that name (or a pattern of path.Match) is there.
type convention struct {
	file     string
	commands map[string]string // by the first name of a task
}

// conventions in the order in which they hold: what is set up in a repository
// stands before what goes with its language.
var conventions = []convention{
	{"noxfile.py", map[string]string{"test": "nox"}},
	{"tox.ini", map[string]string{"test": "tox"}},
	{"pytest.ini", map[string]string{"test": "pytest"}},
	{"conftest.py", map[string]string{"test": "pytest"}},
	{"tests/conftest.py", map[string]string{"test": "pytest"}},
	{"test/conftest.py", map[string]string{"test": "pytest"}},
	{"manage.py", map[string]string{"test": "python manage.py test", "start": "python manage.py runserver", "migrate": "python manage.py migrate"}},
	{".pre-commit-config.yaml", map[string]string{"lint": "pre-commit run --all-files", "format": "pre-commit run --all-files"}},
	{"go.mod", map[string]string{"test": "go test ./...", "build": "go build ./...", "lint": "go vet ./...", "format": "gofmt -w .", "bench": "go test -run '^$' -bench . ./...", "generate": "go generate ./..."}},
	{"Cargo.toml", map[string]string{"test": "cargo test", "build": "cargo build", "lint": "cargo clippy", "format": "cargo fmt", "bench": "cargo bench", "start": "cargo run", "docs": "cargo doc", "clean": "cargo clean"}},
	{".rspec", map[string]string{"test": "bundle exec rspec"}},
	{"spec/spec_helper.rb", map[string]string{"test": "bundle exec rspec"}},
	{".rubocop.yml", map[string]string{"lint": "bundle exec rubocop"}},
	{"Rakefile", map[string]string{"test": "bundle exec rake"}},
	{"Gemfile", map[string]string{"install": "bundle install"}},
	{"mix.exs", map[string]string{"test": "mix test", "build": "mix compile", "format": "mix format", "install": "mix deps.get", "docs": "mix docs"}},
	{"pom.xml", map[string]string{"test": "mvn test", "build": "mvn package", "clean": "mvn clean"}},
	{"gradlew", map[string]string{"test": "./gradlew test", "build": "./gradlew build", "clean": "./gradlew clean"}},
	{"build.gradle", map[string]string{"test": "gradle test", "build": "gradle build", "clean": "gradle clean"}},
	{"build.gradle.kts", map[string]string{"test": "gradle test", "build": "gradle build", "clean": "gradle clean"}},
	{"build.sbt", map[string]string{"test": "sbt test", "build": "sbt compile", "start": "sbt run"}},
	{"Package.swift", map[string]string{"test": "swift test", "build": "swift build", "start": "swift run"}},
	{"*.sln", map[string]string{"test": "dotnet test", "build": "dotnet build", "format": "dotnet format"}},
	{"*.slnx", map[string]string{"test": "dotnet test", "build": "dotnet build", "format": "dotnet format"}},
	{"*.csproj", map[string]string{"test": "dotnet test", "build": "dotnet build", "start": "dotnet run"}},
	{"phpunit.xml", map[string]string{"test": "vendor/bin/phpunit"}},
	{"phpunit.xml.dist", map[string]string{"test": "vendor/bin/phpunit"}},
	{"phpunit.dist.xml", map[string]string{"test": "vendor/bin/phpunit"}},
	{"composer.json", map[string]string{"install": "composer install"}},
	{"CMakeLists.txt", map[string]string{"build": "cmake -B build && cmake --build build", "test": "ctest --test-dir build"}},
	{"meson.build", map[string]string{"build": "meson setup build && meson compile -C build", "test": "meson test -C build"}},
	{"Makefile", map[string]string{"build": "make"}},
	{"GNUmakefile", map[string]string{"build": "make"}},
	{"docker-compose.yml", map[string]string{"start": "docker compose up"}},
	{"docker-compose.yaml", map[string]string{"start": "docker compose up"}},
	{"compose.yaml", map[string]string{"start": "docker compose up"}},
	{"pnpm-lock.yaml", map[string]string{"install": "pnpm install"}},
	{"yarn.lock", map[string]string{"install": "yarn install"}},
	{"package.json", map[string]string{"install": "npm install"}},
	{"setup.py", map[string]string{"install": "pip install -e ."}},
	{"pyproject.toml", map[string]string{"install": "pip install -e ."}},
}

// conventionsFor gives the first convention of each asked task whose file lies in
// a directory. Words that say which tests are meant have no convention.
func (o *Oracle) conventionsFor(asked []wanted, at string) []runnable {
	files := map[string]int{} // by path from the directory
	for doc := range o.c.NumDocs() {
		p := o.c.Path(doc)
		if rest, ok := strings.CutPrefix(p, at+"/"); at != "" && ok {
			p = rest
		} else if at != "" {
			continue
		}
		if strings.Count(p, "/") < 2 {
			files[p] = doc
		}
	}
	var out []runnable
	for _, w := range asked {
		if w.task == "" {
			return nil
		}
		for _, c := range conventions {
			command := c.commands[w.task]
			doc, ok := files[c.file]
			if strings.Contains(c.file, "*") {
				doc, ok = firstMatch(files, c.file)
			}
			if command != "" && ok {
				out = append(out, runnable{name: w.task, doc: doc, command: command})
				break
			}
		}
	}
	return out
}

// firstMatch is the first file by name, beside no directory, that a pattern fits.
func firstMatch(files map[string]int, pattern string) (doc int, ok bool) {
	best := ""
	for p, d := range files {
		if fits, _ := path.Match(pattern, p); fits && facts.DirOf(p) == "" && (best == "" || p < best) {
			best, doc, ok = p, d, true
		}
	}
	return doc, ok
}
