// The directories that a graph shows: those of a place down to a depth, and what
// they are tied to outside of it. Everything below is counted with them.
import type { Dir } from './data';

export interface GraphNode {
  dir: number;
  /** Outside of the place that is shown. */
  outside: boolean;
  /** Stands for the files of the directory itself, not for what is below it. */
  own: boolean;
  degree: number;
}

export interface GraphEdge {
  from: number;
  to: number;
  /** Drawn at all times; others with a directory that is chosen. */
  drawn: boolean;
  /** Pairs of directories, and references where they are known. */
  pairs: number;
  references: number;
}

export interface Graph {
  nodes: GraphNode[];
  /** Between the places of nodes. */
  edges: GraphEdge[];
  /** What is not shown: directories and edges beyond the limits, and directories without any edge. */
  left: number;
  outsideLeft: number;
  weaker: number;
  alone: number[];
}

/** Nodes, and edges for each of them; of more, nothing could be read. */
export const limits = { inside: 40, outside: 8, uses: 2, usedBy: 1 };

/** Ancestors of a directory from the root to itself. */
function line(dirs: Dir[], i: number): number[] {
  const out: number[] = [];
  for (; i >= 0; i = dirs[i][1]) out.unshift(i);
  return out;
}

export function aggregate(dirs: Dir[], edges: number[], scope: number, depth: number): Graph {
  const top = line(dirs, scope);
  const hasChildren = new Set(dirs.map((d) => d[1]));
  const nodes: GraphNode[] = [];
  const numbers = new Map<number, number>();
  const memo = new Map<number, number>();
  const node = (dir: number, outside: boolean, own: boolean) => {
    let n = numbers.get(dir);
    if (n === undefined) {
      numbers.set(dir, (n = nodes.length));
      nodes.push({ dir, outside, own, degree: 0 });
    }
    return n;
  };
  /** The node that stands for a directory. */
  const place = (dir: number) => {
    let n = memo.get(dir);
    if (n !== undefined) return n;
    const at = line(dirs, dir);
    let common = 0;
    while (common < top.length && common < at.length && top[common] === at[common]) common++;
    if (common === top.length) {
      const rel = at.length - top.length;
      const rep = at[top.length - 1 + Math.min(rel, depth)];
      n = node(rep, false, rel < depth && hasChildren.has(rep));
    } else n = node(at[Math.min(common, at.length - 1)], true, common >= at.length);
    memo.set(dir, n);
    return n;
  };
  // All inside, so that those without an edge are known.
  dirs.forEach((_, i) => {
    for (let k = i, n = 0; k >= 0; k = dirs[k][1], n++) if (k === scope) { place(i); break; }
  });
  const sums = new Map<number, GraphEdge>();
  for (let k = 0; k < edges.length; k += 3) {
    const from = place(edges[k]), to = place(edges[k + 1]);
    // What happens outside is no matter here.
    if (from === to || (nodes[from].outside && nodes[to].outside)) continue;
    const key = from * 1e6 + to;
    const e = sums.get(key) ?? { from, to, drawn: false, pairs: 0, references: 0 };
    e.pairs++;
    e.references += edges[k + 2];
    sums.set(key, e);
    nodes[from].degree++;
    nodes[to].degree++;
  }
  const rank = (list: number[]) => list.sort((a, b) => nodes[b].degree - nodes[a].degree || nodes[a].dir - nodes[b].dir);
  const tied = nodes.map((_, i) => i).filter((i) => nodes[i].degree > 0);
  const inside = rank(tied.filter((i) => !nodes[i].outside));
  const outside = rank(tied.filter((i) => nodes[i].outside));
  const keep = new Set([...inside.slice(0, limits.inside), ...outside.slice(0, limits.outside)]);
  const strong = [...sums.values()].filter((e) => keep.has(e.from) && keep.has(e.to))
    .sort((a, b) => b.references - a.references || b.pairs - a.pairs || a.from - b.from || a.to - b.to);
  // The strongest of each directory.
  const uses = new Map<number, number>(), used = new Map<number, number>();
  for (const e of strong) {
    const u = uses.get(e.from) ?? 0, v = used.get(e.to) ?? 0;
    if (u >= limits.uses && v >= limits.usedBy) continue;
    e.drawn = true;
    uses.set(e.from, u + 1);
    used.set(e.to, v + 1);
  }
  const order = [...keep].sort((a, b) => nodes[a].dir - nodes[b].dir);
  const renumber = new Map(order.map((n, i) => [n, i]));
  return {
    nodes: order.map((i) => nodes[i]),
    edges: strong.map((e) => ({ ...e, from: renumber.get(e.from)!, to: renumber.get(e.to)! })),
    left: Math.max(0, inside.length - limits.inside),
    outsideLeft: Math.max(0, outside.length - limits.outside),
    weaker: strong.filter((e) => !e.drawn).length,
    alone: nodes.filter((n) => !n.degree && !n.outside && !n.own).map((n) => n.dir),
  };
}
