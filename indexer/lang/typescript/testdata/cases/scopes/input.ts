import { helper, store } from './lib'
// Locals and parameters shadow; they give bindings, not references.
export function outer(helper: Helper, cb: () => void) {
  helper.go()
  cb()
  if (flag) { const store = create(); store.put() }
  store.get()
  for (const item of store.items) item.run()
  for (let i = 0; i < limit; i++) use(i)
  try { risky() } catch ({ message }) { report(message) }
  const { a, b: [c] } = helper.parts
  var late = hoisted + a + c
  var hoisted = 1
  const inner = (n: number) => n + late
  switch (late) { case 1: let scoped = late; break }
  return store.list.map(entry => entry.name).then(({ size }) => size)
}
function* generic<T extends Shape>(x: T, y: Other<T>): Iterable<T> { yield x.area(y) }
tag`text ${store.title}`
store?.deep!.chain[0]?.call?.(helper)
const shaped = new Client(store.url).connect().session
const awaited = await shaped.open()
const either = store.cached ?? new Client()
const generics = await load<string>('x')
// Properties taken by a pattern and keys of a typed literal are uses of members.
export const { title, deep: { level = 1 } } = store.state
const options: Options<string> = { depth: 1, run() {}, helper }
function take({ size, kind: k }: Params) { return { size } satisfies Result }
