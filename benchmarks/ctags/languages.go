package main

import "github.com/project-map/project-map/indexer/facts"

// language is how one language is compared.
type language struct {
	name  string   // what the flag -language takes
	rows  []string // names of rows of the table
	ctags string   // the name that ctags has for it
	flags []string // more flags for ctags
	// notKinds are kinds of ctags that are no definitions, with the reason.
	notKinds map[string]verdict
	// lacks are kinds of definitions for which ctags has no kind.
	lacks []facts.Kind
	// why explains a tag that only ctags has; here explains a definition that
	// only we have. Both give nothing where they cannot.
	why  func(*corpus, *file, tag) verdict
	here func(*file, extra, *tagged) string
	// class is the head of a class, where a member may stand alone in one.
	class string
}

func languageNames() []string {
	var out []string
	for _, l := range languages {
		out = append(out, l.name)
	}
	return out
}

func languageNamed(name string) *language {
	for _, l := range languages {
		if l.name == name {
			return l
		}
	}
	return nil
}

var (
	packageClause = verdict{held, "package clauses, which facts hold for the file"}
	importedName  = verdict{held, "imported names, which facts hold in the import clause"}
)

var languages = []*language{
	{name: "Go", rows: []string{"go"}, ctags: "Go", why: whyScript, here: hereScript,
		notKinds: map[string]verdict{"package": packageClause, "packageName": importedName}},
	{name: "Python", rows: []string{"python"}, ctags: "Python", why: whyScript, here: hereScript},
	{name: "TypeScript", rows: []string{"typescript"}, ctags: "TypeScript", why: whyScript, here: hereScript, class: "class C {"},
	{name: "JavaScript", rows: []string{"javascript"}, ctags: "JavaScript", why: whyScript, here: hereScript, class: "class C {"},
	{name: "C#", rows: []string{"csharp"}, ctags: "C#", why: whyCSharp, here: hereCSharp},
	{name: "C++", rows: []string{"cpp"}, ctags: "C++", flags: []string{"--kinds-C++=+pxA"}, why: whyC, here: hereC,
		lacks: []facts.Kind{facts.KindInterface}},
	{name: "C", rows: []string{"c"}, ctags: "C", flags: []string{"--kinds-C=+px"}, why: whyC, here: hereC},
	{name: "Kotlin", rows: []string{"kotlin"}, ctags: "Kotlin", why: whyKotlin, here: hereKotlin,
		lacks:    []facts.Kind{facts.KindEnumMember, facts.KindConstructor},
		notKinds: map[string]verdict{"package": packageClause}},
	{name: "Bash", rows: []string{"bash"}, ctags: "Sh", why: whyBash, here: hereBash,
		lacks: []facts.Kind{facts.KindVariable, facts.KindConstant},
		notKinds: map[string]verdict{
			"heredoc": {noDefinition, "labels of here documents"},
			"script":  {held, "scripts that are read in, which facts hold as imports"},
		}},
	{name: "Lua", rows: []string{"lua"}, ctags: "Lua", why: whyLua, here: hereLua,
		lacks: []facts.Kind{facts.KindVariable, facts.KindConstant, facts.KindField, facts.KindClass, facts.KindModule}},
	{name: "PHP", rows: []string{"php"}, ctags: "PHP", why: whyPHP, here: herePHP,
		lacks:    []facts.Kind{facts.KindEnum, facts.KindEnumMember},
		notKinds: map[string]verdict{"namespace": packageClause}},
	{name: "Ruby", rows: []string{"ruby"}, ctags: "Ruby", why: whyRuby, here: hereRuby,
		lacks:    []facts.Kind{facts.KindField, facts.KindTarget},
		notKinds: map[string]verdict{"library": importedName}},
	{name: "Java", rows: []string{"java"}, ctags: "Java", why: whyJava, here: hereJava,
		lacks:    []facts.Kind{facts.KindModule},
		notKinds: map[string]verdict{"package": packageClause}},
	{name: "Rust", rows: []string{"rust"}, ctags: "Rust", why: whyRust, here: hereRust,
		lacks:    []facts.Kind{facts.KindConstant},
		notKinds: map[string]verdict{"implementation": {noDefinition, "impl blocks: ctags names the type again, which is defined elsewhere"}}},
}
