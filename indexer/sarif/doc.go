// Package sarif reads SARIF 2.1.0 reports: what linters and scanners found in a
// repository.
//
// A report is read twice. NewReader checks the whole file and keeps what results
// refer to, because a run may give its rules and base uris after its results;
// then Next decodes one result at a time. So a damaged or foreign file is refused
// before its first result, and memory is bounded by what the runs declare and by
// Limits, not by the file. The package has a lexer of its own because a decoder
// of encoding/json, and so every SARIF library above it, holds each string and
// each value whole, also those that are not used: embedded file contents and code
// flows are most of a large report.
//
// A report is evidence from outside and may be forged: every failure is one error
// that names the file and wraps ErrFormat or ErrLimit, and results that name no
// file of the repository are refused and counted by reason. Suppressed results
// are given, with a mark. Results that say a rule holds (kind pass), does not
// apply, or was broken in an older version only (baselineState absent) are no
// findings and are refused, too.
//
// Of a report these are not read: code flows, stacks, graphs, fixes, logical
// locations, property bags, overrides of rule configurations by invocations and
// policies, translations, and files of external properties.
package sarif
