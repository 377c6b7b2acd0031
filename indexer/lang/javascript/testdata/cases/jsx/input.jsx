import { Card } from './card';
export const App = ({ items, ...rest }) => (
  <Card.List {...rest} onPick={(x) => pick(x)}>
    {items.map((item) => <Card key={item.id} item={item} />)}
    <div className="plain" />
  </Card.List>
);
