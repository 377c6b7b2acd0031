interface Shape { kind: 'a' | 'b'; next?: Shape; [key: string]: unknown; (x: number): Shape }
// A literal whose type is declared, with a nested literal and a shorthand.
const kind = 'a'
export const first: Shape = { kind, next: { kind: 'b' } }
// Arguments, callbacks and what they return.
export function visit(s: Shape, more: { deep: boolean }) {
  walk({ kind: 'a' }, n => ({ kind: n.kind }))
  if (s.kind === 'a' && s.next) s.next
  else s.kind
  if (s.kind !== 'b') return null
  switch (s.kind) { case 'b': return s.next ?? first }
}
declare function walk(s: Shape, each: (n: Shape) => Shape): void
// What a function without a declared result gives.
export const open = async (s: Shape) => { const inner = s.next!; return { inner, close: () => inner, deep: await load<Shape>(s) } }
type Key = Shape['next']
