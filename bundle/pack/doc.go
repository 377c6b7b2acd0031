// Package pack assembles context packs: layered, budgeted, deterministic
// selections of what a model should read next.
//
// A pack is made of entries, each in one of five layers: L0 what is going on
// right now, L1 the current stage, L2 the compressed session, L3 the memory of
// the project, L4 the archive. Building one takes four steps, none of which
// reads a file, a clock or a random number, so the same request always gives the
// same pack, the same id and the same events:
//
//  1. Entries without an id get one from what they hold; entries without a token
//     estimate are counted.
//  2. Pinned entries (steering notes, event history) are set aside, and entries
//     of L4 that are not pinned are archived: the metadata names them, the pack
//     does not hold them.
//  3. Strategies name what is redundant whatever the budget: the same output of a
//     tool twice, an artifact that a newer version replaces.
//  4. What is left leaves in one order until the rest fits: L3, then L2, then L1,
//     in each the oldest first. L0 and pinned entries never leave.
//
// The order of step 4 does not depend on the budget and nothing is passed over,
// so what a smaller budget keeps is a subset of what a larger one keeps.
// Recency is the position in the request: the last entry is the newest.
//
// What happened is told as events. A [ContextReducer] folds them into a
// [ContextState], which is therefore the same whether it was kept live or
// replayed from a log. Logs and kept inputs are files, and those are the business
// of package session.
package pack
