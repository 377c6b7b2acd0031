// The treemap of the overview: area is size, colour what is chosen. A click on a
// directory goes into it, one on a file to its place on a page.
import { type HierarchyRectangularNode, hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import { type Dir, type Files, anchor, bySlug, pageOf, paths, plural, slugOf } from './data';
import { type Box, byId, el, roving } from './dom';

interface Cell {
  dir: number;
  /** Number of the file, or -1 for a directory. */
  file: number;
  name: string;
  value: number;
  children?: Cell[];
}
type Node = HierarchyRectangularNode<Cell>;

const purposes = ['source', 'test', 'documentation', 'example', 'configuration', 'build', 'translation', 'generated', 'vendored'];
const ages = ['no commit known', 'within a week', 'within a month', 'within three months', 'within a year', 'within three years', 'longer ago'];
const changes = ['none', '1', '2\u20133', '4\u20137', '8\u201315', '16\u201331', '32 or more'];
const changeClass = (commits: number) => Math.min(6, commits < 1 ? 0 : Math.floor(Math.log2(commits)) + 1);
// The newest is the strongest.
const ageClass = (recency: number) => (recency ? 7 - recency : 0);
const shownLanguages = 8;

const measures = {
  lines: { label: 'lines', of: (f: Files['files'][0]) => f[2] },
  bytes: { label: 'bytes', of: (f: Files['files'][0]) => f[3] },
};
type Measure = keyof typeof measures;

const size = (n: number) => (n < 1e3 ? `${n} B` : n < 1e6 ? `${(n / 1e3).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`);

function init(dirs: Dir[], table: Files) {
  const map = byId('map'), box = byId('treemap'), controls = byId('treemap-controls'), crumbs = byId('treemap-crumbs'), legend = byId('treemap-legend'), status = byId('treemap-status');
  if (!map || !box || !controls || !crumbs || !legend || !status || !table.files.length) return;
  const all = paths(dirs);
  const past = box.dataset.past === 'true';
  const state = { measure: 'lines' as Measure, colour: past ? 'change' : 'language', dir: 0 };
  // Without a store, no sizes are known: files count.
  const known = table.files.some((f) => f[2] > 0);
  if (!known) state.measure = table.files.some((f) => f[3] > 0) ? 'bytes' : 'lines';
  const weigh = (f: Files['files'][0]) => Math.max(measures[state.measure].of(f), known || state.measure === 'bytes' ? 0.2 : f[8]);

  const children: number[][] = dirs.map(() => []);
  dirs.forEach((d, i) => d[1] >= 0 && children[d[1]].push(i));
  const filesOf: number[][] = dirs.map(() => []);
  table.files.forEach((f, i) => filesOf[f[0]].push(i));

  const choice = (label: string, id: string, value: string, options: [string, string][], changed: (v: string) => void) => {
    const s = el('select', { id }, ...options.map(([v, text]) => el('option', { value: v, selected: v === value }, text)));
    s.addEventListener('change', () => { changed(s.value); draw(); });
    return el('label', {}, label + ' ', s);
  };
  const colours: [string, string][] = [...(past ? [['change', 'Commits'], ['age', 'Last change']] as [string, string][] : []), ['language', 'Language'], ['purpose', 'Purpose']];
  if (known) controls.append(choice('Size', 'treemap-size', state.measure, [['lines', 'Lines'], ['bytes', 'Bytes']], (v) => { state.measure = v as Measure; }));
  controls.append(choice('Colour', 'treemap-colour', state.colour, colours, (v) => { state.colour = v; }));

  const build = (dir: number): Cell => {
    const inner: Cell[] = [];
    for (const c of children[dir]) {
      const cell = build(c);
      if (cell.children!.length) inner.push(cell);
    }
    for (const f of filesOf[dir]) {
      const [, name, , , , , , , count] = table.files[f];
      inner.push({ dir, file: f, name: name || plural(count, 'smaller file'), value: weigh(table.files[f]) });
    }
    // A directory that holds nothing but another one is shown with it.
    if (inner.length === 1 && inner[0].file < 0 && dir !== state.dir) return { ...inner[0], name: `${dirs[dir][0]}/${inner[0].name}` };
    return { dir, file: -1, name: dirs[dir][0], value: 0, children: inner };
  };

  const classOf = (f: Files['files'][0]) => {
    switch (state.colour) {
      case 'change': return `s${changeClass(f[4])}`;
      case 'age': return `s${ageClass(f[5])}`;
      case 'language': return f[6] > 0 && f[6] <= shownLanguages ? `k${f[6] - 1}` : 'k9';
      default: return `k${f[7]}`;
    }
  };
  /** The class that most of a directory has. */
  const classOfDir = (n: Node) => {
    const sums = new Map<string, number>();
    for (const l of n.leaves()) {
      const k = classOf(table.files[l.data.file]);
      sums.set(k, (sums.get(k) ?? 0) + (l.value ?? 0));
    }
    return [...sums].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? 'k9';
  };
  const describe = (n: Node) => {
    const d = n.data;
    const total = state.measure === 'bytes' ? size(n.value ?? 0) : known ? plural(n.value ?? 0, 'line') : '';
    if (d.file < 0) return [all[d.dir] || 'root', plural(dirs[d.dir][3], 'file'), total].filter(Boolean).join(', ');
    const f = table.files[d.file];
    const path = (all[d.dir] ? all[d.dir] + '/' : '') + d.name;
    return [path, known ? plural(f[2], 'line') : '', f[3] ? size(f[3]) : '', past ? plural(f[4], 'commit') : '', past && f[5] ? `changed ${ages[f[5]]}` : '', table.languages[f[6]], f[7] ? purposes[f[7]] : ''].filter(Boolean).join(', ');
  };

  let cells: { node: HTMLElement; box: Box }[] = [];
  roving(box, () => cells);

  const go = (dir: number, keepFocus = false) => {
    const next = dir ? `#t=${slugOf(dirs, dir)}` : '#t=';
    if (location.hash !== next) history.pushState(null, '', next);
    state.dir = dir;
    draw();
    if (keepFocus) cells[0]?.node.focus();
  };

  const draw = () => {
    const width = box.clientWidth, height = box.clientHeight;
    if (!width) return;
    const tree = hierarchy(build(state.dir)).sum((d) => (d.file >= 0 ? d.value : 0)).sort((a, b) => (b.value ?? 0) - (a.value ?? 0) || (a.data.name < b.data.name ? -1 : 1));
    const roomy = (n: Node) => n.x1 - n.x0 > 46 && n.y1 - n.y0 > 42;
    const laid = treemap<Cell>().tile(treemapSquarify).size([width, height]).round(true)
      .paddingInner(2).paddingTop((n) => (n.depth && roomy(n) ? 20 : 0)).paddingRight((n) => (n.depth ? 2 : 0)).paddingBottom((n) => (n.depth ? 2 : 0)).paddingLeft((n) => (n.depth ? 2 : 0))(tree);
    cells = [];
    const out = document.createDocumentFragment();
    const visit = (n: Node) => {
      const w = n.x1 - n.x0, h = n.y1 - n.y0;
      if (w < 3 || h < 3) return;
      const d = n.data;
      const open = d.file < 0 && roomy(n);
      const label = describe(n);
      const href = d.file < 0 ? `#t=${slugOf(dirs, d.dir)}` : pageOf(dirs, d.dir) + (dirs[d.dir][2] && table.files[d.file][1] ? '#' + anchor(table.files[d.file][1]) : '');
      const a = el('a', { href, tabindex: -1, 'aria-label': label, title: label, class: open ? 'cell open' : `cell ${d.file < 0 ? 'closed ' + classOfDir(n) : classOf(table.files[d.file])}` });
      if (w > 34 && h > 15) a.append(el('bdi', {}, d.name));
      if (d.file < 0) a.addEventListener('click', (e) => {
        if (e.ctrlKey || e.metaKey || e.shiftKey) return;
        e.preventDefault();
        go(d.dir, e.detail === 0);
      });
      const tell = () => { status.textContent = label; };
      a.addEventListener('pointerenter', tell);
      a.addEventListener('focus', tell);
      // Styles set by script are not inline styles to the policy.
      Object.assign(a.style, { left: `${n.x0}px`, top: `${n.y0}px`, width: `${w}px`, height: `${open ? 20 : h}px` });
      if (open) {
        const frame = el('div', { class: 'framed' });
        Object.assign(frame.style, { left: `${n.x0}px`, top: `${n.y0}px`, width: `${w}px`, height: `${h}px` });
        out.append(frame);
      }
      out.append(a);
      cells.push({ node: a, box: { x0: n.x0, y0: n.y0, x1: n.x1, y1: open ? n.y0 + 20 : n.y1 } });
      if (open) for (const c of n.children ?? []) visit(c);
    };
    for (const c of laid.children ?? []) visit(c);
    cells[0]?.node.setAttribute('tabindex', '0');
    box.replaceChildren(out);
    status.textContent = 'Choose a directory to go into it, a file to read about it. Arrow keys move, Escape goes back.';
    drawCrumbs();
    drawLegend();
  };

  const drawCrumbs = () => {
    const above: number[] = [];
    for (let i = state.dir; i >= 0; i = dirs[i][1]) above.unshift(i);
    const items = above.map((i) => {
      const name = i ? dirs[i][0] : 'root';
      if (i === state.dir) return el('li', {}, el('bdi', { 'aria-current': 'location' }, name));
      const a = el('a', { href: `#t=${i ? slugOf(dirs, i) : ''}` }, el('bdi', {}, name));
      a.addEventListener('click', (e) => { e.preventDefault(); go(i); });
      return el('li', {}, a);
    });
    const page = dirs[state.dir][2] ? el('a', { href: pageOf(dirs, state.dir), class: 'more' }, 'Open its page') : '';
    crumbs.replaceChildren(el('ol', {}, ...items), page);
  };

  const drawLegend = () => {
    const used = new Set<string>();
    for (const c of box.querySelectorAll('.cell')) for (const k of c.classList) used.add(k);
    let keys: [string, string][] = [];
    let title = '';
    switch (state.colour) {
      case 'change': title = 'Commits'; keys = changes.map((t, i) => [`s${i}`, t]); break;
      case 'age': title = 'Last change before the newest commit'; keys = ages.map((t, i) => [`s${i ? 7 - i : 0}`, t]); break;
      case 'language':
        title = 'Language';
        keys = table.languages.slice(1, shownLanguages + 1).map((t, i): [string, string] => [`k${i}`, t]);
        keys.push(['k9', 'other']);
        break;
      default: title = 'Purpose'; keys = purposes.map((t, i) => [`k${i}`, t]);
    }
    const scale = state.colour === 'change' || state.colour === 'age';
    legend.replaceChildren(el('span', {}, title), el('ul', {}, ...keys.filter(([k]) => scale || used.has(k)).map(([k, t]) => el('li', {}, el('span', { class: `key ${k}`, 'aria-hidden': 'true' }), t))));
  };

  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', 'Treemap of files');
  box.addEventListener('keydown', (e) => {
    if (e.key === 'Escape' && state.dir) { e.preventDefault(); go(dirs[state.dir][1], true); }
  });
  const follow = () => {
    const m = /^#t=([\w-]*)$/.exec(location.hash);
    state.dir = m ? bySlug(dirs, m[1]) : 0;
    draw();
  };
  addEventListener('popstate', follow);
  let timer = 0;
  let last = 0;
  new ResizeObserver(() => {
    if (box.clientWidth === last) return;
    last = box.clientWidth;
    clearTimeout(timer);
    timer = window.setTimeout(draw, 80);
  }).observe(box);
  map.hidden = false;
  last = box.clientWidth;
  follow();
}

const dirs = window.projectMap?.get('dirs'), files = window.projectMap?.get('files');
if (dirs && files) init(dirs, files);
