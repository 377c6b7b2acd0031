package xref

import (
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// include finds a header: a quoted one ("./x.h", "../x.h") from the including
// file first; then, for the directories that a compiler searches are not known,
// any by the end of its path. A bare name in angle brackets is that of the header
// which lies nearest, unless a system has one of that name.
func (r *resolver) include(doc int, module string) []Target {
	if strings.HasPrefix(module, "./") || strings.HasPrefix(module, "../") {
		if t := r.file(join(facts.DirOf(r.files[doc].Path), module)); t != nil {
			return t
		}
		if name := path.Clean(module); !strings.HasPrefix(name, "..") {
			return r.bySuffix(name)
		}
		return nil
	}
	switch name := path.Clean(module); {
	case strings.HasPrefix(name, ".."):
		return nil
	case strings.Contains(name, "/"):
		return r.bySuffix(name)
	default:
		return r.header(doc, name)
	}
}

// header is the file of a bare name in angle brackets. Names without an
// extension are those of the language's own library.
func (r *resolver) header(doc int, name string) []Target {
	if !strings.Contains(name, ".") || systemHeaders[name] {
		return nil
	}
	var found []int
	for _, d := range r.based(name) {
		if f := r.files[d].File; f.Family == "c" && f.Outlined() && d != doc {
			found = append(found, d)
		}
	}
	if d := r.nearest(doc, found); d >= 0 {
		return []Target{{Doc: d, Dir: facts.DirOf(r.files[d].Path)}}
	}
	return nil
}

// systemHeaders are headers of C and of the systems it runs on which projects
// give the names of to files of their own, too.
var systemHeaders = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields("assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib string tgmath threads time uchar wchar wctype unistd pthread fcntl dirent strings syslog sched poll semaphore regex glob grp pwd termios utime windows malloc memory alloca endian getopt dlfcn netdb search spawn") {
		m[name+".h"] = true
	}
	return m
}()
