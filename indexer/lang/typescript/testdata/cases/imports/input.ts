import def from './default'
import def2, { a, b as c, type T } from './named'
import * as ns from 'namespace'
import type { U } from './types'
import { type V, type W } from './types2'
import './side-effect'
import fs = require('fs')
import data from './data.json' with { type: 'json' }
// Re-exports are imports with a flag and exports with a module.
export * from './all'
export * as grouped from './group'
export { x, y as z, default as d } from './some'
export type { OnlyType } from './only'
const lazy = () => import('./lazy')
function load() { return require('./loaded') }
// Exported by a clause and by default: public both.
function local() { return def(a, c, ns.member) }
const value = 1
class Hidden {}
export { local, value as renamed }
export default local
