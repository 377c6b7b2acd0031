// Package revision turns a state of a git repository - a commit, the staged
// index or the work tree - into a sorted list of entries (path, mode, blob id)
// and a reader of their bytes.
//
// A snapshot is a value: listing it reads trees, the index or the disk once,
// and nothing afterwards changes it. What a Reader returns always hashes to the
// blob id of the entry it was asked for, so results may be cached by that id;
// a file that changed after it was listed is an error, never other bytes.
//
// Object decoding uses go-git, whose types never leave the package. Around it
// stand the parts where go-git differs from git or fails: repository discovery
// and extensions, alternates, revision syntax, the index with its newer
// features, gitignore and gitattributes matching. Each of them is tested
// against the git program, which the package itself never runs. Replace refs
// and grafts are ignored, and nothing is ever fetched or written.
package revision
