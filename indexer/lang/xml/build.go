package xml

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// maven reads a project object model.
func (d *document) maven(root int) {
	d.b.SetPackage(d.childText(root, "artifactId"))
	d.b.SetSummary(d.childText(root, "description"))
	d.b.SetSummary(d.childText(root, "name"))
	if p := d.child(root, "parent"); p >= 0 {
		if path := d.childText(p, "relativePath"); path != "" {
			d.load(d.child(p, "relativePath"), path)
		} else if d.child(p, "relativePath") < 0 {
			d.load(p, "../pom.xml")
		}
		d.artifact(p, "parent", -1)
	}
	d.each(root, func(i int, name string) bool {
		n := &d.nodes[i]
		switch name {
		case "module":
			if d.nodes[n.parent].local() == "modules" {
				d.load(i, n.text)
			}
		case "properties":
			for c := n.first; c >= 0; c = d.nodes[c].next {
				e := &d.nodes[c]
				d.define(c, definition{kind: facts.KindVariable, name: e.name, at: nameSpan(e), in: -1, sign: e.name + " = " + short(e.text), once: true})
			}
			return false
		case "dependency":
			where := "dependency"
			if up := d.nodes[n.parent].parent; up >= 0 && d.nodes[up].local() == "dependencyManagement" {
				where = "managed dependency"
			} else if up >= 0 && d.nodes[up].local() == "plugin" {
				return false
			}
			d.artifact(i, where, -1)
		case "plugin":
			s := d.artifact(i, "plugin", -1)
			if e := d.child(i, "executions"); e >= 0 {
				d.children(e, func(c int, _ string) {
					d.execution(c, s)
				})
			}
			return false
		case "extension":
			d.artifact(i, "extension", -1)
		case "profile":
			if id := d.child(i, "id"); id >= 0 {
				d.define(i, definition{kind: facts.KindKey, name: d.nodes[id].text, at: d.nodes[id].textSpan, in: -1, sign: "profile " + d.nodes[id].text})
			}
		case "configuration", "exclusions":
			return false
		}
		return true
	})
}

func nameSpan(n *node) facts.Span {
	return facts.Span{Start: uint32(n.start + 1), End: uint32(n.nameEnd)}
}

// artifact defines what a group and an artifact id name.
func (d *document) artifact(i int, what string, in int32) int32 {
	id := d.child(i, "artifactId")
	if id < 0 {
		return -1
	}
	name := d.nodes[id].text
	sign := what + " " + name
	if g := d.childText(i, "groupId"); g != "" {
		sign = what + " " + g + ":" + name
	}
	for _, k := range []string{"version", "classifier", "type", "scope"} {
		if v := d.childText(i, k); v != "" {
			sign += ":" + v
		}
	}
	return d.define(i, definition{kind: facts.KindKey, name: name, at: d.nodes[id].textSpan, in: in, sign: sign, init: d.childText(i, "version")})
}

func (d *document) execution(i int, in int32) {
	id := d.child(i, "id")
	if id < 0 {
		return
	}
	var goals []string
	if g := d.child(i, "goals"); g >= 0 {
		d.children(g, func(c int, _ string) { goals = append(goals, d.nodes[c].text) })
	}
	sign := strings.Join(goals, " ")
	if p := d.childText(i, "phase"); p != "" {
		sign = p + ": " + sign
	}
	d.define(i, definition{kind: facts.KindTarget, name: d.nodes[id].text, at: d.nodes[id].textSpan, in: in, sign: "execution " + sign})
}

// msbuild reads a project of .NET or C++ and the files that it is made of.
func (d *document) msbuild(root int) {
	d.b.SetSummary(d.find(root, "Description"))
	for _, k := range []string{"PackageId", "AssemblyName", "RootNamespace", "ProjectName"} {
		if v := d.find(root, k); !strings.Contains(v, "$(") {
			d.b.SetPackage(v)
		}
	}
	d.each(root, func(i int, name string) bool {
		n := &d.nodes[i]
		if n.parent >= 0 && d.nodes[n.parent].local() == "PropertyGroup" {
			d.define(i, definition{kind: facts.KindVariable, name: n.name, at: nameSpan(n), in: -1, sign: condition(n, n.name+" = "+short(n.text)), once: true})
			return false
		}
		include := n.attribute("Include")
		if include == nil {
			include = n.attribute("Update")
		}
		switch name {
		case "Target":
			in := d.named(i, "Name", definition{kind: facts.KindTarget, in: -1})
			d.each(i, func(c int, task string) bool {
				if a := d.nodes[c].attribute("Targets"); task == "CallTarget" || task == "MSBuild" {
					d.refer(facts.RefCall, a, in)
				}
				return true
			})
			for _, k := range []string{"DependsOnTargets", "BeforeTargets", "AfterTargets"} {
				d.list(n.attribute(k), in)
			}
			return false
		case "Import":
			d.load(i, n.attr("Project"))
		case "Using":
			d.using(i)
			return false
		case "ProjectReference":
			if include != nil {
				d.load(i, include.value)
			}
		case "PackageReference", "PackageVersion", "GlobalPackageReference", "DotNetCliToolReference", "PackageDownload", "FrameworkReference", "Reference", "COMReference":
			if include == nil {
				break
			}
			version := n.attr("Version") + n.attr("VersionOverride")
			if version == "" {
				version = d.childText(i, "Version")
			}
			short, rest, strong := strings.Cut(include.value, ",")
			if v, ok := strings.CutPrefix(strings.TrimSpace(rest), "Version="); strong && ok && version == "" {
				version, _, _ = strings.Cut(v, ",")
			}
			d.define(i, definition{kind: facts.KindKey, name: short, at: include.span, in: -1, init: version, once: true})
			return false
		case "Compile", "ClCompile", "ClInclude", "EmbeddedResource", "Content", "None", "Page", "ApplicationDefinition", "AdditionalFiles", "ResourceCompile", "Midl", "Folder":
			if a := n.attribute("Include"); a != nil && name != "Folder" {
				d.load(i, a.value)
			}
			return false
		case "UsingTask":
			d.named(i, "TaskName", definition{kind: facts.KindMacro, in: -1})
		}
		return true
	})
}

// using adds the namespaces that a project imports into all of its C# files: as a
// global using directive does, so that each is an import that is given on.
func (d *document) using(i int) {
	n := &d.nodes[i]
	imported := facts.Import{Alias: strings.TrimSpace(n.attr("Alias") + d.childText(i, "Alias")), Flags: facts.ImportReexport}
	if strings.EqualFold(strings.TrimSpace(n.attr("Static")+d.childText(i, "Static")), "true") {
		imported.Names = []facts.ImportedName{{Name: "*"}}
	}
	for _, name := range strings.Split(n.attr("Include"), ";") {
		imported.Module = strings.TrimPrefix(strings.TrimSpace(name), "global::")
		key := "using " + imported.Alias + " " + imported.Module
		if len(imported.Names) > 0 {
			key += " static"
		}
		if imported.Module == "" || strings.ContainsAny(imported.Module, "$@*%?{}\n/\\") || len(imported.Module) > facts.MaxName || d.imports >= maxImports || d.seen[key] {
			continue
		}
		d.seen[key] = true
		d.imports++
		d.b.Import(imported, uint32(n.start))
	}
}

func condition(n *node, sign string) string {
	if c := n.attr("Condition"); c != "" {
		sign += " if " + c
	}
	return sign
}

// find is the text of the first element of a name below i.
func (d *document) find(i int, name string) string {
	found := ""
	d.each(i, func(c int, n string) bool {
		if n == name && found == "" {
			found = d.nodes[c].text
		}
		return found == ""
	})
	return found
}

// list adds a reference to each name of a list.
func (d *document) list(a *attribute, in int32) {
	if a == nil {
		return
	}
	for _, name := range strings.FieldsFunc(a.value, func(r rune) bool { return r == ';' || r == ',' || r == ' ' || r == '\n' || r == '\r' || r == '\t' }) {
		if !strings.Contains(name, "$(") {
			d.referAt(facts.RefCall, name, facts.Span{Start: a.span.Start, End: a.span.Start}, in)
		}
	}
}

// ant reads a build file of Ant.
func (d *document) ant(root int) {
	d.b.SetPackage(d.nodes[root].attr("name"))
	d.b.SetSummary(d.childText(root, "description"))
	d.each(root, func(i int, name string) bool {
		n := &d.nodes[i]
		switch name {
		case "target", "extension-point":
			in := d.named(i, "name", definition{kind: facts.KindTarget, in: -1, doc: n.attr("description")})
			d.list(n.attribute("depends"), in)
			d.each(i, func(c int, task string) bool {
				if task == "antcall" {
					d.refer(facts.RefCall, d.nodes[c].attribute("target"), in)
				}
				return true
			})
			return false
		case "macrodef", "presetdef", "scriptdef", "taskdef", "typedef":
			d.named(i, "name", definition{kind: facts.KindMacro, in: -1})
			return false
		case "property":
			d.named(i, "name", definition{kind: facts.KindVariable, in: -1, init: n.attr("value") + n.attr("location"), once: true})
			d.load(i, n.attr("file"))
		case "import", "include":
			d.load(i, n.attr("file"))
		case "path", "fileset", "patternset":
			d.named(i, "id", definition{kind: facts.KindVariable, in: -1})
		}
		return true
	})
}

// nuspec reads the metadata of a NuGet package.
func (d *document) nuspec(metadata int) {
	d.b.SetPackage(d.childText(metadata, "id"))
	d.b.SetSummary(d.childText(metadata, "description"))
	d.b.SetSummary(d.childText(metadata, "summary"))
	d.each(metadata, func(i int, name string) bool {
		if name == "dependency" {
			d.named(i, "id", definition{kind: facts.KindKey, in: -1, init: d.nodes[i].attr("version"), once: true})
		}
		return true
	})
	d.each(0, func(i int, name string) bool {
		if name == "file" {
			d.load(i, d.nodes[i].attr("src"))
		}
		return true
	})
}

// packages reads packages.config.
func (d *document) packages(root int) {
	d.children(root, func(i int, name string) {
		if name == "package" {
			d.named(i, "id", definition{kind: facts.KindKey, in: -1, init: d.nodes[i].attr("version")})
		}
	})
}

// resx reads resources of .NET.
func (d *document) resx(root int) {
	d.children(root, func(i int, name string) {
		if name == "data" {
			d.named(i, "name", definition{kind: facts.KindKey, in: -1, init: d.childText(i, "value"), doc: d.childText(i, "comment"), sign: " "})
		}
	})
}

// configuration reads the configuration of a .NET program, and of tools whose
// files have the same root.
func (d *document) configuration(root int) {
	d.children(root, func(section int, name string) {
		n := &d.nodes[section]
		in := d.define(section, definition{kind: facts.KindKey, name: n.name, at: nameSpan(n), in: -1, init: n.text})
		d.each(section, func(i int, name string) bool {
			e := &d.nodes[i]
			for _, k := range []string{"key", "name", "id"} {
				if a := e.attribute(k); a != nil {
					d.named(i, k, definition{kind: facts.KindKey, in: in, once: true})
					break
				}
			}
			d.load(i, e.attr("configSource"))
			return e.depth < 8
		})
	})
}
