package astro

import (
	"bytes"

	"github.com/project-map/project-map/indexer/lang/component"
)

// maxNested bounds elements in expressions in elements.
const maxNested = 100

// elements reads the elements that stand as a value in an expression, one or
// several in a row, and returns where they end. It notes what it finds.
func (r *reader) elements(at int) (int, bool) {
	if r.nested >= maxNested || r.Spent() || !r.opens(at) {
		return 0, false
	}
	r.nested++
	defer func() { r.nested-- }()
	mark := len(r.found)
	r.found = append(r.found, found{element: true, start: at})
	depth, i, last := 0, at, at
	src := r.source
	for i < len(src) && !r.Spent() {
		switch {
		case r.IsComment(i):
			i = r.Comment(i)
			last = i
		case bytes.HasPrefix(src[i:], []byte("</")):
			_, next := r.EndTag(i)
			if depth--; depth < 0 {
				return r.refuse(mark, at, i)
			}
			i = max(next, i+2)
			last = i
		case bytes.HasPrefix(src[i:], []byte("<>")):
			depth++
			i += 2
		case r.OpensTag(i):
			// What its attributes hold is found while the tag is read, and stands behind it.
			slot := len(r.found)
			r.found = append(r.found, found{})
			t, ok := r.Tag(i)
			if !ok {
				return r.refuse(mark, at, i)
			}
			i = t.End
			if isRaw(t) {
				end, closed := r.RawEnd(t.Name, t.End)
				if !closed {
					return r.refuse(mark, at, end)
				}
				i = end
				depth++
			} else if !t.SelfClosing && !component.Void(t.Name) {
				depth++
			}
			r.found[slot] = found{tag: t, rawEnd: i}
			last = i
		case depth > 0 && src[i] == '{':
			slot := len(r.found)
			r.found = append(r.found, found{})
			end, ok := r.Closing(i)
			if !ok {
				return r.refuse(mark, at, i)
			}
			r.found[slot] = found{start: i, end: end}
			i = end + 1
		case depth > 0 || component.IsSpace(src[i]):
			i++
		default:
			r.found[mark].end = last
			return last, last > at
		}
	}
	return r.refuse(mark, at, i)
}

// opens tells whether elements stand at an offset.
func (r *reader) opens(at int) bool {
	return r.OpensTag(at) || bytes.HasPrefix(r.source[at:], []byte("<>")) || r.IsComment(at)
}

func (r *reader) refuse(mark, from, to int) (int, bool) {
	r.Pay(to - from)
	r.found = r.found[:mark]
	return 0, false
}

// layOut makes lists of the elements in an expression. Those that hold others
// stand before them.
func (r *reader) layOut(all []found) {
	o := r.Markup
	for _, f := range all {
		if f.element {
			o.Clear(f.start, f.end)
		}
		switch {
		case f.element && f.end-f.start > 1:
			o.Put(f.start, "[")
			o.Put(f.end-1, "]")
		case f.element:
		case f.tag != nil:
			r.tag(f.tag, f.rawEnd, true)
		default:
			r.item(f.start, f.end)
		}
	}
}
