// The graph of what directories depend on, in layers: those that use stand above
// those that are used.
import { Graph as Layout, layout } from '@dagrejs/dagre';
import { select } from 'd3-selection';
import { zoom as makeZoom, zoomIdentity } from 'd3-zoom';
import { type Graph, type GraphEdge, aggregate } from './aggregate';
import { type Dir, bySlug, pageOf, paths, plural, slugOf } from './data';
import { type Box, byId, el, roving } from './dom';

const svgNS = 'http://www.w3.org/2000/svg';
function svg<K extends keyof SVGElementTagNameMap>(tag: K, attrs: Record<string, string | number> = {}, ...children: (Node | string)[]): SVGElementTagNameMap[K] {
  const e = document.createElementNS(svgNS, tag) as SVGElementTagNameMap[K];
  for (const [k, v] of Object.entries(attrs)) e.setAttribute(k, String(v));
  e.append(...children);
  return e;
}

const cut = (s: string, n: number) => {
  const c = [...s];
  return c.length <= n ? s : c.slice(0, n - 1).join('') + '\u2026';
};

function init(dirs: Dir[], edges: number[]) {
  const box = byId('graph'), canvas = byId('graph-canvas'), panel = byId('graph-panel'), controls = byId('graph-controls'), crumbs = byId('graph-crumbs'), status = byId('graph-status');
  if (!box || !canvas || !panel || !controls || !crumbs || !status || !edges.length) return;
  const all = paths(dirs);
  const hasChildren = new Set(dirs.map((d) => d[1]));
  const state = { scope: 0, depth: 1, chosen: -1 };
  let graph: Graph;

  // Parts that stay.
  const view = svg('g', { class: 'view' });
  const root = svg('svg', { role: 'group', 'aria-label': 'Graph of directories. Arrow keys move between them, Enter chooses one, + and - zoom.' },
    svg('defs', {}, svg('marker', { id: 'tip', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse', markerUnits: 'userSpaceOnUse' }, svg('path', { d: 'M0 0L8 4L0 8z', class: 'tip' }))), view);
  canvas.append(root);
  const zoom = makeZoom<SVGSVGElement, unknown>().scaleExtent([0.1, 3]).on('zoom', (e) => view.setAttribute('transform', String(e.transform)));
  const canvasSelection = select(root).call(zoom).on('dblclick.zoom', null);
  const extent = { width: 1, height: 1 };
  const size = () => ({ w: canvas.clientWidth, h: canvas.clientHeight });
  const fit = (least = 0) => {
    const { w, h } = size();
    if (!w || !h) return;
    // Smaller than that, names cannot be read.
    const k = Math.max(least, Math.min(1.25, (w - 24) / extent.width, (h - 24) / extent.height));
    canvasSelection.call(zoom.transform, zoomIdentity.translate((w - k * extent.width) / 2, Math.max(12, (h - k * extent.height) / 2)).scale(k));
  };
  const button = (text: string, label: string, press: () => void) => el('button', { type: 'button', title: label, onclick: press, ...(text.length === 1 && { 'aria-label': label }) }, text);
  const depth = el('select', { id: 'graph-depth' }, ...[1, 2, 3].map((n) => el('option', { value: n }, plural(n, 'level'))));
  depth.addEventListener('change', () => { state.depth = Number(depth.value); go(state.scope, -1); });
  controls.append(el('label', {}, 'Show ', depth), el('span', { class: 'buttons' },
    button('\u2212', 'Zoom out', () => canvasSelection.call(zoom.scaleBy, 1 / 1.3)), button('+', 'Zoom in', () => canvasSelection.call(zoom.scaleBy, 1.3)), button('Fit', 'Show all of the graph', () => fit())));

  const name = (i: number) => {
    const n = graph.nodes[i];
    const base = n.outside ? all[n.dir] || 'root' : n.dir === state.scope ? dirs[n.dir][0] || 'root' : relative(n.dir);
    return base;
  };
  const sub = (i: number) => (graph.nodes[i].own ? 'own files' : plural(dirs[graph.nodes[i].dir][3], 'file'));
  const relative = (dir: number) => (all[state.scope] ? all[dir].slice(all[state.scope].length + 1) : all[dir]) || 'root';

  let items: { node: SVGElement; box: Box }[] = [];
  let drawnEdges = new Map<number, SVGPathElement>();
  const extra = svg('g', { class: 'edges', 'aria-hidden': 'true' });
  roving(canvas, () => items, (i) => show(items[i].box));

  /** Moves the view so that a box is in it. */
  const show = (b: Box) => {
    const { w, h } = size();
    const m = root.getBoundingClientRect();
    const r = view.getCTM();
    if (!r || !m.width) return;
    const x = (b.x0 + b.x1) / 2 * r.a + r.e, y = (b.y0 + b.y1) / 2 * r.d + r.f;
    if (x < 40 || y < 30 || x > w - 40 || y > h - 30) canvasSelection.call(zoom.translateTo, (b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2);
  };

  const draw = () => {
    graph = aggregate(dirs, edges, state.scope, state.depth);
    const g = new Layout({ multigraph: false });
    g.setGraph({ rankdir: 'TB', nodesep: 18, ranksep: 46, edgesep: 8, marginx: 8, marginy: 8, ranker: 'tight-tree' });
    g.setDefaultEdgeLabel(() => ({}));
    graph.nodes.forEach((_, i) => g.setNode(String(i), { width: Math.max(72, Math.min(190, [...name(i)].length * 7.4 + 22)), height: 40 }));
    for (const e of graph.edges) if (e.drawn) g.setEdge(String(e.from), String(e.to), { weight: 1 + Math.round(Math.log2(1 + e.references)) });
    layout(g);
    const label = g.graph();
    extent.width = Math.max(label.width ?? 1, 1);
    extent.height = Math.max(label.height ?? 1, 1);
    const lines = svg('g', { class: 'edges', 'aria-hidden': 'true' });
    drawnEdges = new Map();
    graph.edges.forEach((e, k) => {
      if (!e.drawn) return;
      const { points } = g.edge(String(e.from), String(e.to)) as { points: { x: number; y: number }[] };
      const p = path(curve(points), e);
      lines.append(p);
      drawnEdges.set(k, p);
    });
    const boxes = svg('g', { class: 'nodes' });
    items = graph.nodes.map((n, i) => {
      const at = g.node(String(i)) as { x: number; y: number; width: number; height: number };
      const uses = graph.edges.filter((e) => e.from === i).length, used = graph.edges.filter((e) => e.to === i).length;
      const b = { x0: at.x - at.width / 2, y0: at.y - at.height / 2, x1: at.x + at.width / 2, y1: at.y + at.height / 2 };
      const node = svg('g', {
        class: `node${n.outside ? ' outside' : ''}`, transform: `translate(${b.x0},${b.y0})`, tabindex: -1, role: 'button', 'aria-pressed': 'false',
        'aria-description': `${all[n.dir] || 'root'}${n.outside ? ', outside' : ''}, uses ${uses}, used by ${used}`,
      }, svg('rect', { width: at.width, height: at.height, rx: 4 }),
      svg('text', { x: at.width / 2, y: 17 }, cut(name(i), 24)), ' ', svg('text', { x: at.width / 2, y: 32, class: 'small' }, sub(i)));
      node.addEventListener('click', () => go(state.scope, state.chosen === i ? -1 : i));
      node.addEventListener('dblclick', () => enter(i));
      node.addEventListener('keydown', (e) => {
        if (e.key === 'Enter' || e.key === ' ') { e.preventDefault(); go(state.scope, state.chosen === i ? -1 : i); }
      });
      node.addEventListener('pointerenter', () => mark(i));
      node.addEventListener('pointerleave', () => mark(state.chosen));
      boxes.append(node);
      return { node, box: b };
    });
    items[0]?.node.setAttribute('tabindex', '0');
    extra.replaceChildren();
    view.replaceChildren(lines, extra, boxes);
    drawCrumbs();
    status.textContent = told();
    fit(0.62);
  };

  const path = (d: string, e: GraphEdge) => {
    const p = svg('path', { d, 'marker-end': 'url(#tip)', class: 'edge' });
    p.style.strokeWidth = String(1 + Math.min(2, Math.log10(1 + Math.max(e.references, e.pairs)) / 2));
    return p;
  };

  /** A line from border to border, for an edge that the layout does not know. */
  const direct = (a: Box, b: Box) => {
    const x0 = (a.x0 + a.x1) / 2, x1 = (b.x0 + b.x1) / 2;
    const down = a.y1 <= b.y0, up = b.y1 <= a.y0;
    if (!down && !up) {
      const y = Math.max(a.y1, b.y1);
      return `M${x0} ${a.y1}Q${(x0 + x1) / 2} ${y + 40} ${x1} ${b.y1}`;
    }
    const y0 = down ? a.y1 : a.y0, y1 = down ? b.y0 : b.y1;
    return `M${x0} ${y0}C${x0} ${(y0 + y1) / 2} ${x1} ${(y0 + y1) / 2} ${x1} ${y1}`;
  };

  /** What is shown, and what is not, in words. */
  const told = () => {
    if (!graph.nodes.length) return `Nothing in ${all[state.scope] || 'this repository'} depends on another directory, as far as the maps know.`;
    const inside = graph.nodes.filter((n) => !n.outside).length;
    const parts = [`${plural(inside, 'directory')} and ${plural(graph.edges.length, 'dependency')}; an arrow leads to what is used.`];
    if (graph.nodes.some((n) => n.outside)) parts.push('Dashed: outside of this directory.');
    if (graph.left + graph.outsideLeft) parts.push(`Left out: ${plural(graph.left + graph.outsideLeft, 'directory')} with fewer dependencies.`);
    if (graph.weaker) parts.push(`${plural(graph.weaker, 'weaker one')} ${graph.weaker === 1 ? 'is' : 'are'} drawn with a directory that is chosen.`);
    if (graph.alone.length) parts.push(`Not drawn: ${plural(graph.alone.length, 'directory')} without dependencies.`);
    return parts.join(' ');
  };

  const curve = (p: { x: number; y: number }[]) => {
    const f = (n: number) => Math.round(n * 10) / 10;
    let d = `M${f(p[0].x)} ${f(p[0].y)}`;
    for (let i = 1; i < p.length - 1; i++) {
      const last = i === p.length - 2;
      const x = last ? p[i + 1].x : (p[i].x + p[i + 1].x) / 2, y = last ? p[i + 1].y : (p[i].y + p[i + 1].y) / 2;
      d += `Q${f(p[i].x)} ${f(p[i].y)} ${f(x)} ${f(y)}`;
    }
    if (p.length === 2) d += `L${f(p[1].x)} ${f(p[1].y)}`;
    return d;
  };

  /** Brings out a node and what it is tied to. */
  const mark = (i: number) => {
    root.classList.toggle('marked', i >= 0);
    const near = new Set([i]);
    extra.replaceChildren();
    graph.edges.forEach((e, k) => {
      const out = e.from === i, into = e.to === i;
      let p = drawnEdges.get(k);
      if (!p && (out || into)) extra.append((p = path(direct(items[e.from].box, items[e.to].box), e)));
      p?.setAttribute('class', `edge${out ? ' out' : into ? ' into' : ''}`);
      if (out) near.add(e.to);
      if (into) near.add(e.from);
    });
    items.forEach((x, k) => {
      x.node.classList.toggle('near', i >= 0 && near.has(k));
      x.node.classList.toggle('chosen', k === state.chosen);
      x.node.setAttribute('aria-pressed', String(k === state.chosen));
    });
  };

  const list = (title: string, ids: { node: number; references: number; pairs: number }[]) =>
    el('section', {}, el('h3', {}, title), ids.length ? el('ul', { class: 'edges' }, ...ids.map((x) =>
      el('li', {}, el('button', { type: 'button', class: 'plain link', onclick: () => go(state.scope, x.node) }, el('bdi', {}, name(x.node))), x.references ? el('span', { class: 'count' }, ` ${plural(x.references, 'reference')}`) : ''))) : el('p', { class: 'dim' }, 'nothing'));

  const drawPanel = () => {
    const i = state.chosen;
    if (i < 0) {
      panel.replaceChildren(el('h2', {}, all[state.scope] || 'root'),
        el('p', {}, 'Choose a directory to see what it depends on and what uses it. A double click looks inside.'),
        dirs[state.scope][2] ? el('p', {}, el('a', { href: pageOf(dirs, state.scope) }, 'Its page')) : '',
        ...(graph.alone.length ? [el('h3', {}, 'Without dependencies'), el('ul', { class: 'edges' }, ...graph.alone.slice(0, 30).map((d) =>
          el('li', {}, dirs[d][2] ? el('a', { href: pageOf(dirs, d) }, el('bdi', {}, relative(d))) : el('bdi', {}, relative(d))))),
        graph.alone.length > 30 ? el('p', { class: 'dim' }, `and ${graph.alone.length - 30} more`) : ''] : []));
      return;
    }
    const n = graph.nodes[i];
    const by = (a: { references: number; pairs: number }, b: { references: number; pairs: number }) => b.references - a.references || b.pairs - a.pairs;
    const uses = graph.edges.filter((e) => e.from === i).map((e) => ({ node: e.to, ...pick(e) })).sort(by);
    const used = graph.edges.filter((e) => e.to === i).map((e) => ({ node: e.from, ...pick(e) })).sort(by);
    panel.replaceChildren(el('h2', {}, el('bdi', {}, all[n.dir] || 'root')),
      el('p', { class: 'actions' },
        dirs[n.dir][2] ? el('a', { href: pageOf(dirs, n.dir) }, 'Its page') : '',
        hasChildren.has(n.dir) && n.dir !== state.scope ? el('button', { type: 'button', onclick: () => enter(i) }, 'Look inside') : ''),
      list('Depends on', uses), list('Used by', used));
  };
  const pick = (e: { references: number; pairs: number }) => ({ references: e.references, pairs: e.pairs });

  const enter = (i: number) => {
    const d = graph.nodes[i].dir;
    if (d !== state.scope) go(d, -1);
  };

  const address = () => `#d=${slugOf(dirs, state.scope)}${state.depth > 1 ? `&depth=${state.depth}` : ''}${state.chosen >= 0 ? `&at=${slugOf(dirs, graph.nodes[state.chosen].dir)}` : ''}`;

  const drawCrumbs = () => {
    const above: number[] = [];
    for (let i = state.scope; i >= 0; i = dirs[i][1]) above.unshift(i);
    crumbs.replaceChildren(el('ol', {}, ...above.map((i) => {
      const text = i ? dirs[i][0] : 'root';
      if (i === state.scope) return el('li', {}, el('bdi', { 'aria-current': 'location' }, text));
      const a = el('a', { href: `#d=${slugOf(dirs, i)}` }, el('bdi', {}, text));
      return el('li', {}, a);
    })));
  };

  let shownScope = -1, shownDepth = -1;
  const apply = () => {
    if (state.scope !== shownScope || state.depth !== shownDepth) {
      [shownScope, shownDepth] = [state.scope, state.depth];
      draw();
    }
    mark(state.chosen);
    drawPanel();
    if (state.chosen >= 0) show(items[state.chosen].box);
  };
  /** Shows a place with a node chosen, and notes it in the address. */
  const go = (scope: number, chosen: number) => {
    const moved = scope !== state.scope;
    state.scope = scope;
    state.chosen = chosen;
    apply();
    if (moved) history.pushState(null, '', address());
    else history.replaceState(null, '', address());
  };
  /** Where there is something to see: past directories that hold nearly everything. */
  const start = () => {
    for (let scope = 0; ; ) {
      if (aggregate(dirs, edges, scope, 1).nodes.filter((n) => !n.outside).length >= 5) return scope;
      const most = dirs.map((_, i) => i).filter((i) => dirs[i][1] === scope && hasChildren.has(i)).sort((a, b) => dirs[b][3] - dirs[a][3])[0];
      if (most === undefined || dirs[most][3] * 2 < dirs[scope][3]) return 0;
      scope = most;
    }
  };
  const follow = () => {
    const q = new URLSearchParams(location.hash.slice(1));
    state.scope = q.get('d') === null ? start() : bySlug(dirs, q.get('d')!);
    state.depth = Math.min(3, Math.max(1, Number(q.get('depth')) || 1));
    depth.value = String(state.depth);
    // A directory without others inside is shown among those around it.
    const leaf = state.scope > 0 && !hasChildren.has(state.scope) ? state.scope : -1;
    if (leaf >= 0) state.scope = dirs[leaf][1];
    state.chosen = -1;
    apply();
    const at = q.get('at') ? bySlug(dirs, q.get('at')!) : leaf;
    state.chosen = at >= 0 ? graph.nodes.findIndex((n) => n.dir === at) : -1;
    apply();
  };
  addEventListener('popstate', follow);
  canvas.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === '+' || e.key === '=') canvasSelection.call(zoom.scaleBy, 1.3);
    else if (e.key === '-') canvasSelection.call(zoom.scaleBy, 1 / 1.3);
    else if (e.key === '0') fit();
    else if (e.key === 'Escape' && state.chosen >= 0) go(state.scope, -1);
    else if (e.key === 'Escape' && state.scope) go(dirs[state.scope][1], -1);
    else return;
    e.preventDefault();
  });
  box.hidden = false;
  let last = canvas.clientWidth;
  new ResizeObserver(() => {
    if (canvas.clientWidth !== last) { last = canvas.clientWidth; fit(0.62); }
  }).observe(canvas);
  follow();
}

const dirs = window.projectMap?.get('dirs'), edges = window.projectMap?.get('edges');
if (dirs && edges) init(dirs, edges);
