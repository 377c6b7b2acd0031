/**
 * Types of Flow, which the grammar of JavaScript does not know.
 * @flow
 */
import type { Node } from 'react';
import { a, type B } from './m';
export type Props = {| +name: string, cb?: (x: number) => void |};
opaque type ID = string;
export function render(x: string, y: ?number): Node { return a(x) }
class Panel extends React.Component<Props, State> {
  state: State = { a: 1 };
  render(): Node { return <div /> }
}
export default (connect(Panel): any);
type Inexact = { a: ?string, nested: { b: number, ... }, ... };
export function after(options: { key: string, ... }): void { const c = (options: any).key; log(c) }
