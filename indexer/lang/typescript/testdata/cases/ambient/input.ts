// A script without imports and exports: what it declares is seen by every file.
interface Window { app: App }
declare function setup(name: string): void
declare function setup(id: number): void
declare var process: { env: Record<string, string> }
declare namespace NodeJS {
  interface Global { cache: Cache }
  function on(event: string): void
}
const shared = 1
