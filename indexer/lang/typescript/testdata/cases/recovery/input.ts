// Each of these is newer than the grammar. Everything after them must survive.
interface Box<in out T> { value: T }
interface Media {
  src?: string
  in?: string
  out?: number
}
type Parts = import('./x').Part[]
export function useParts(x: import('./x').Part[] | null): void {}
import defer * as late from './late'
export type * from './types'
class Disposable {
  accessor state = 1
  async use() { await using handle = open(); handle.read() }
}
function cleanup() { using file = openFile(); return file.name }
const table = { a: 1 } as const satisfies Table
class Broken<T extends { a: [ > {
  lost() {}
}
export class After {
  kept() {}
}
export const last = 1
