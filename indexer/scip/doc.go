// Package scip reads SCIP indexes: what a compiler front end knows of the
// definitions and uses in a repository, written by tools such as scip-go,
// scip-typescript and scip-python.
//
// An index is a stream of documents. A Reader decodes one document at a time
// from the wire format, so that memory is bounded by the largest document and by
// Limits, not by the index. An index is evidence from outside and may be
// damaged, forged or something else altogether: every failure is one error that
// names the file and wraps ErrFormat or ErrLimit, and documents whose paths
// leave the repository are refused and listed.
//
// Tools differ in how they write places; Document.Convert turns these into lines
// and UTF-8 columns of a text.
package scip
