type Child = Node | string | null | undefined | false;

/** Makes an element. Text is text: nothing is parsed. */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attrs: Record<string, string | number | boolean | ((e: never) => void)> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attrs)) {
    if (typeof v === 'function') e.addEventListener(k.slice(2), v as unknown as EventListener);
    else if (v === true) e.setAttribute(k, '');
    else if (v !== false) e.setAttribute(k, String(v));
  }
  for (const c of children) if (c) e.append(c);
  return e;
}

export const byId = (id: string) => document.getElementById(id);

export interface Box { x0: number; y0: number; x1: number; y1: number }

const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The index of the box that an arrow key leads to from one of them, or -1. */
export function neighbour(boxes: Box[], from: number, key: string): number {
  const way = arrows[key];
  if (!way || !boxes[from]) return -1;
  const centre = (b: Box) => [(b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2];
  const [x, y] = centre(boxes[from]);
  let best = -1;
  let least = Infinity;
  boxes.forEach((b, i) => {
    const [bx, by] = centre(b);
    const along = (bx - x) * way[0] + (by - y) * way[1];
    const across = Math.abs((bx - x) * way[1]) + Math.abs((by - y) * way[0]);
    const far = along + 3 * across;
    if (i !== from && along > 0.5 && far < least) [best, least] = [i, far];
  });
  return best;
}

/** Keeps one element of a group in the order of the tab key, and moves by arrows. */
export function roving(group: HTMLElement, items: () => { node: HTMLElement | SVGElement; box: Box }[], moved?: (i: number) => void) {
  group.addEventListener('keydown', (e) => {
    const list = items();
    const at = list.findIndex((x) => x.node === e.target);
    if (at < 0 || e.ctrlKey || e.metaKey || e.altKey) return;
    let to = neighbour(list.map((x) => x.box), at, e.key);
    if (e.key === 'Home') to = 0;
    if (e.key === 'End') to = list.length - 1;
    if (to < 0) return;
    e.preventDefault();
    list[at].node.setAttribute('tabindex', '-1');
    list[to].node.setAttribute('tabindex', '0');
    list[to].node.focus();
    moved?.(to);
  });
  group.addEventListener('focusin', (e) => {
    for (const x of items()) x.node.setAttribute('tabindex', x.node === e.target ? '0' : '-1');
  });
}
