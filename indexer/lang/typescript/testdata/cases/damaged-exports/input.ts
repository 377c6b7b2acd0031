// The damage cuts the file in parts; exports by name still reach what they name.
import { x } from './x'
class Hurt<T extends { a: [ > {
  lost() {}
}
function fine() { return x }
/** Not the summary of the file. */
interface Odd { a: import('./y').Z[] }
export { Hurt, fine as good }
export default Odd
