/** What can be drawn. */
export interface Shape<T = number> extends Base<T>, ns.Other {
  (x: number): string
  new (x: number): Shape
  [key: string]: unknown
  /** Its name. */
  readonly name?: string
  area<U>(unit: U): T
  get box(): Box
  onClick: (event: MouseEvent) => void
}
export type Handler<E> = (event: E, done: Callback) => void
type Point = { x: number; y: number; move(by: Delta): Point }
type Merged = Point & { z: number } & Tagged<'merged'>
type Keys<T> = { [K in keyof T as `get${K}`]: () => T[K] }
type Unwrap<T> = T extends Promise<infer U> ? Unwrap<U> : Fallback
type Remote = import('./remote').Api & { a: 1 }
type Query = typeof defaults
export enum Color { Red, Green = 1 << 2, 'dark-blue' = 'b' }
export const enum Flag { On = 1, Off }
declare enum Ambient { A }
export namespace Geometry.Flat {
  export interface Plane { normal: Vector }
  export function cross(a: Vector, b: Vector): Vector { return a.cross(b) }
  const hidden = 1
}
import Flat = Geometry.Flat
declare module 'shapes' {
  export function draw(s: Shape): void
  export default draw
}
declare global {
  interface Window { shapes: Shape[] }
}
declare const VERSION: string
declare function require(name: string): any
declare class Legacy { run(): void }
const literal = { a: 1 } satisfies Record<string, number>
let asserted = <Point>anything
let cast = anything as Shape
