interface Box<out T> { value: T }
export const A = () => <div>text with > and 'quotes' &amp; entities</div>
type Remote = import('./x').Props[]
export function After() { return <A /> }
