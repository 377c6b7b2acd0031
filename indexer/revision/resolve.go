package revision

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// maxMetaObject bounds commits, tags and trees: real ones stay far below, and
// they are held in memory.
const maxMetaObject = 256 << 20

// maxTagDepth bounds tags of tags.
const maxTagDepth = 64

// Resolve returns the commit that an expression names, as
// `git rev-parse EXPR^{commit}` does. Understood are references in every
// abbreviation, full and short hashes, `git describe` names, "@", and the
// suffixes ~n, ^n, ^{} and ^{commit} in any combination. Everything else that
// git understands is refused with ErrUnsupportedRevision, never guessed. Other
// errors: ErrUnknownRevision, ErrAmbiguousRevision, ErrUnbornHead, ErrMissing.
func (r *Repository) Resolve(expr string) (ID, error) {
	or := r.objects.reader()
	defer or.Close()
	c, err := r.resolve(or, expr)
	if err != nil {
		return ID{}, err
	}
	return c.id, nil
}

// commit is what this package needs of a commit object.
type commit struct {
	id, tree ID
	parents  []ID
	time     int64 // of the committer, seconds since 1970
	message  string
}

func (r *Repository) resolve(or *objectReader, expr string) (*commit, error) {
	if err := checkSyntax(expr); err != nil {
		return nil, err
	}
	base, suffix := expr, ""
	if i := strings.IndexAny(expr, "~^"); i >= 0 {
		base, suffix = expr[:i], expr[i:]
	}
	c, err := r.resolveBase(or, base)
	if err != nil {
		if errors.Is(err, ErrUnbornHead) || errors.Is(err, ErrAmbiguousRevision) {
			return nil, err
		}
		return nil, fmt.Errorf("revision %q: %w", expr, err)
	}
	for suffix != "" {
		op := suffix[0]
		suffix = suffix[1:]
		if op == '^' && strings.HasPrefix(suffix, "{") {
			// checkSyntax leaves only {} and {commit}: c is a commit already.
			suffix = suffix[strings.IndexByte(suffix, '}')+1:]
			continue
		}
		end := 0
		for end < len(suffix) && suffix[end] >= '0' && suffix[end] <= '9' {
			end++
		}
		n := 1
		if end > 0 {
			if n, err = strconv.Atoi(suffix[:end]); err != nil || n > 1<<30 {
				return nil, fmt.Errorf("%w: %q: number %s is out of range", ErrUnknownRevision, expr, suffix[:end])
			}
		}
		suffix = suffix[end:]
		if op == '^' {
			c, err = r.parent(or, c, n)
		} else {
			for ; n > 0 && err == nil; n-- {
				c, err = r.parent(or, c, 1)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("revision %q: %w", expr, err)
		}
	}
	return c, nil
}

// checkSyntax names what is not supported and what to use instead.
func checkSyntax(expr string) error {
	refuse := func(what string) error {
		return fmt.Errorf("%w: %q: %s; pass the commit instead: a branch, a tag, a hash, or the output of `git rev-parse`", ErrUnsupportedRevision, expr, what)
	}
	switch {
	case expr == "":
		return fmt.Errorf("%w: the expression is empty", ErrUnknownRevision)
	case strings.HasPrefix(expr, "-"):
		return fmt.Errorf("%w: %q looks like an option", ErrUnknownRevision, expr)
	case strings.HasPrefix(expr, ":/"):
		return refuse("search by message (:/text)")
	case strings.HasPrefix(expr, ":"):
		return refuse("a path in the index (:path)")
	case strings.HasPrefix(expr, "^"):
		return refuse("an exclusion (^rev)")
	case strings.Contains(expr, ".."):
		return refuse("a range (A..B) where one commit is needed")
	case strings.Contains(expr, "@{-"):
		return refuse("a branch checked out before (@{-n})")
	case strings.Contains(expr, "@{"):
		return refuse("reflog, upstream and push syntax (@{...})")
	case strings.Contains(expr, ":"):
		return refuse("a path in a revision (rev:path)")
	}
	rest := expr
	for {
		i := strings.IndexAny(rest, "^~")
		if i < 0 {
			return nil
		}
		op := rest[i]
		rest = rest[i+1:]
		switch {
		case op == '^' && strings.HasPrefix(rest, "{"):
			end := strings.IndexByte(rest, '}')
			if end < 0 {
				return fmt.Errorf("%w: %q: unclosed ^{", ErrUnknownRevision, expr)
			}
			switch what := rest[1:end]; {
			case what == "" || what == "commit":
			case strings.HasPrefix(what, "/"):
				return refuse("search by message (^{/text})")
			default:
				return refuse("an object that is not a commit (^{" + what + "})")
			}
			rest = rest[end+1:]
			if rest != "" && rest[0] != '^' && rest[0] != '~' {
				return fmt.Errorf("%w: %q: unexpected %q", ErrUnknownRevision, expr, rest)
			}
			continue
		case op == '^' && strings.HasPrefix(rest, "@"):
			return refuse("a list of parents (rev^@)")
		case op == '^' && (strings.HasPrefix(rest, "!") || strings.HasPrefix(rest, "-")):
			return refuse("a range (rev^! or rev^-)")
		}
		rest = strings.TrimLeft(rest, "0123456789")
		if rest != "" && rest[0] != '^' && rest[0] != '~' {
			return fmt.Errorf("%w: %q: unexpected %q", ErrUnknownRevision, expr, rest)
		}
	}
}

// shortHash is the short hash that a name may mean: the name itself, or what
// follows the last "-g" of the name that git describe gives a commit.
func shortHash(name string) (string, bool) {
	if i := strings.LastIndex(name, "-g"); i > 0 {
		name = name[i+len("-g"):]
	}
	return name, len(name) >= 4 && len(name) <= 40 && strings.Trim(name, "0123456789abcdefABCDEF") == ""
}

// resolveBase resolves an expression without suffixes, in git's order: a full
// hash, a reference, a git-describe name, a short hash.
func (r *Repository) resolveBase(or *objectReader, name string) (*commit, error) {
	if name == "@" {
		name = "HEAD"
	}
	if id, ok := parseID(name); ok {
		c, err := r.peel(or, id)
		if errors.Is(err, ErrMissing) {
			return nil, fmt.Errorf("%w: no such object here%s", ErrUnknownRevision, r.shallowHint())
		}
		return c, err
	}
	id, err := r.findRef(name)
	if err == nil {
		return r.peel(or, id)
	}
	if !errors.Is(err, errNoRef) {
		return nil, err
	}
	if short, ok := shortHash(name); ok {
		return r.resolveShort(or, strings.ToLower(short))
	}
	return nil, fmt.Errorf("%w: no branch, tag or commit of that name%s; `git branch -a` and `git tag` list them", ErrUnknownRevision, r.shallowHint())
}

// resolveShort wants one commit among the objects with the prefix; blobs and
// trees do not make it ambiguous, as in git where a commit is expected.
func (r *Repository) resolveShort(or *objectReader, prefix string) (*commit, error) {
	ids, err := r.objects.withPrefix(prefix)
	if err != nil {
		return nil, err
	}
	var found []*commit
	var names []string
	var other error
	for _, id := range ids {
		t, _, err := or.read(id, maxMetaObject)
		if err != nil {
			if errors.Is(err, ErrTooLarge) {
				continue
			}
			return nil, err
		}
		if t != plumbing.CommitObject && t != plumbing.TagObject {
			other = fmt.Errorf("%w: it names a %s, not a commit", ErrUnknownRevision, t.String())
			continue
		}
		c, err := r.peel(or, id)
		if err != nil {
			other = err
			continue
		}
		found, names = append(found, c), append(names, id.String())
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, fmt.Errorf("%w: %q is short for %s; write more digits", ErrAmbiguousRevision, prefix, strings.Join(names, ", "))
	case other != nil:
		return nil, other
	}
	return nil, fmt.Errorf("%w: no commit starts with these digits%s", ErrUnknownRevision, r.shallowHint())
}

// peel follows tags to a commit.
func (r *Repository) peel(or *objectReader, id ID) (*commit, error) {
	for range maxTagDepth {
		t, data, err := or.read(id, maxMetaObject)
		if err != nil {
			return nil, err
		}
		switch t {
		case plumbing.CommitObject:
			return decodeCommit(id, data)
		case plumbing.TagObject:
			tag := new(object.Tag)
			if err := tag.Decode(memoryObject(t, data)); err != nil {
				return nil, fmt.Errorf("tag %s: %w: %v", id, ErrCorrupt, err)
			}
			id = ID(tag.Target)
		default:
			return nil, fmt.Errorf("%w: it names a %s, not a commit", ErrUnknownRevision, t.String())
		}
	}
	return nil, fmt.Errorf("tag %s: %w: tags nest too deeply", id, ErrCorrupt)
}

// parent returns the n-th parent, the commit itself for n = 0.
func (r *Repository) parent(or *objectReader, c *commit, n int) (*commit, error) {
	if n == 0 {
		return c, nil
	}
	shallow, err := r.shallow()
	if err != nil {
		return nil, err
	}
	if shallow[c.id] {
		return nil, fmt.Errorf("%w: commit %s is where this shallow clone ends; `git fetch --unshallow` gets the rest", ErrUnknownRevision, c.id)
	}
	if n > len(c.parents) {
		return nil, fmt.Errorf("%w: commit %s has %d parent(s)", ErrUnknownRevision, c.id, len(c.parents))
	}
	return readCommit(or, c.parents[n-1])
}

func (r *Repository) shallowHint() string {
	if ids, err := r.shallow(); err == nil && len(ids) > 0 {
		return " (the clone is shallow; `git fetch --unshallow` gets the rest)"
	}
	return ""
}

func readCommit(or *objectReader, id ID) (*commit, error) {
	data, err := or.readAs(plumbing.CommitObject, id, maxMetaObject)
	if err != nil {
		return nil, fmt.Errorf("read commit: %w", err)
	}
	return decodeCommit(id, data)
}

func decodeCommit(id ID, data []byte) (*commit, error) {
	gc := new(object.Commit)
	if err := gc.Decode(memoryObject(plumbing.CommitObject, data)); err != nil {
		return nil, fmt.Errorf("commit %s: %w: %v", id, ErrCorrupt, err)
	}
	c := &commit{id: id, tree: ID(gc.TreeHash), time: gc.Committer.When.Unix(), message: gc.Message}
	for _, p := range gc.ParentHashes {
		c.parents = append(c.parents, ID(p))
	}
	return c, nil
}

func memoryObject(t plumbing.ObjectType, data []byte) plumbing.EncodedObject {
	o := new(plumbing.MemoryObject)
	o.SetType(t)
	o.Write(data)
	return o
}
