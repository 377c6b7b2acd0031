import React, { useState, useCallback } from 'react'
import * as UI from './ui'
import { Button } from './button'

export interface Props { title: string; onClose?: () => void }

/** A panel. */
export function Panel({ title, onClose }: Props) {
  const [open, setOpen] = useState<boolean>(true)
  const toggle = useCallback(() => setOpen(!open), [open])
  const Header = () => <h1 className={styles.title}>{title}</h1>
  return (
    <UI.Card.Body onClick={toggle} {...rest}>
      <Header />
      <Button kind="primary" onPress={() => onClose?.()}>Close {count}</Button>
      <></>
    </UI.Card.Body>
  )
}
// memo and forwardRef make a function of the constant.
export const Field = React.memo(React.forwardRef<HTMLInputElement, Props>(function Field(props, ref) {
  return <input ref={ref} value={props.title} />
}))
const generic = <T,>(x: T) => <Panel title={String(x)} />
export class Old extends React.Component<Props, State> {
  state: State = { n: 0 }
  render() { return this.props.title ? <Panel {...this.props} /> : null }
}
export default () => <Old />
