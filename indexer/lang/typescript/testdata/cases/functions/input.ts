/**
 * Functions in their forms. This comment is the summary of the file: it does
 * not stand directly above a definition.
 */

/** Adds two numbers. More about it. @see other */
export function add(a: number, b = 0): number {
  return a + b
}

// Overloads: three symbols, the first two are overloads.
export function parse(text: string): Node
export function parse(text: Buffer): Node
export function parse(text: any): Node {
  return new Parser(text).run()
}

/**
 * Generator.
 * @deprecated use entries
 */
export async function* walk<T extends Node>(
  root: T, // where it starts
  { depth, order: o = 'pre' }: Options = {},
  ...rest: string[]
): AsyncGenerator<T> {
  function visit(n: T) {
    // nested: in the body of walk
    for (const c of n.children) visit(c)
  }
  yield visit(root)
}

// Not exported, in a module: private.
const double = (x: number): number => x * 2
const MAX_DEPTH = 12
export const inc = async (x: number) => x + 1, plain: Map<string, Node> = new Map()
let counter: number
var { left, right: { deep = 1 }, ...others } = add(1, 2), [first, , third] = list

// Only run is a definition here.
export var run = function named() { log() }

export function isNode(x: unknown): x is Node { return x instanceof Node }
export function assertNode(this: Window, x: unknown): asserts x is Node {}
// What debounce and its like are given is the function, on either side.
const save = debounce(300, async (id: string) => { store(id) })
