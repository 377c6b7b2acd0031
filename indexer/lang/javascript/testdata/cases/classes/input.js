const ok = 1 > 2 && 2 < 1;
class Point extends mixin(Base) {
  static origin = new Point(0, 0);
  #x = 0;
  move = (by) => { this.#x += by };
  constructor(x, y) { super(); this.y = y; this.log = new Logger(x); this.cb = () => y }
  get x() { return this.#x }
  static async load(id) { return new Point(await fetch(id), 1) }
  static { Point.registry.set('p', Point) }
  _internal() {}
}
export default Point;
export const plugin = (o, C, d) => {
  const proto = C.prototype;
  proto.utc = function (keep) { return d.utc(keep) };
};
