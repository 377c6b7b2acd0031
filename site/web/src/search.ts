// Search over directories, files and symbols, as a combobox with a list.
import uFuzzy from '@leeoniya/ufuzzy';
import { type Dir, type ProjectMap, type Search, anchor, format, pageOf, paths } from './data';
import { byId, el } from './dom';

interface Index {
  dirs: Dir[];
  search: Search;
  dirPaths: string[];
  filePaths: string[];
  names: string[];
  /** Of each name: number of the file, letter of the kind, line. */
  at: [file: number, kind: number, line: number][];
}

interface Hit { rank: number; label: string; detail: string; kind: string; href: string }

const most = { dirs: 5, files: 10, symbols: 15 };

// Identifiers: a term may have one typo, and terms may stand in any order.
const strict = new uFuzzy({ intraMode: 1, intraIns: 1 });
// Letters in order with anything between them, where the strict way finds nothing.
const loose = new uFuzzy({ intraIns: Infinity });

function makeIndex(dirs: Dir[], search: Search): Index {
  const dirPaths = paths(dirs);
  const x: Index = { dirs, search, dirPaths, filePaths: [], names: [], at: [] };
  search.files.forEach(([dir, name], i) => {
    x.filePaths.push((dirPaths[dir] ? dirPaths[dir] + '/' : '') + name);
    if (!search.symbols[i]) return;
    for (const line of search.symbols[i].split('\n')) {
      const space = line.indexOf(' ');
      x.names.push(line.slice(space + 1));
      x.at.push([i, line.charCodeAt(0) - 97, parseInt(line.slice(1, space), 36)]);
    }
  });
  return x;
}

/** The best matches: whole names first, then beginnings, then the shortest. */
function best(haystack: string[], needle: string, count: number, name: (s: string) => string): [rank: number, i: number][] {
  const low = needle.toLowerCase();
  // "order create" is order_create.py and OrderCreate, too.
  const bare = squeezed(low);
  let found: number[] | null = null;
  if (/^[\x20-\x7e]*$/.test(needle)) {
    found = strict.filter(haystack, needle);
    if (!found?.length && needle.length > 2) found = loose.filter(haystack, needle);
  }
  if (!found?.length) {
    found = [];
    haystack.forEach((s, i) => s.toLowerCase().includes(low) && found!.push(i));
  }
  const score = (s: string) => {
    const n = name(s);
    const l = n.toLowerCase();
    const q = squeezed(l.replace(/\.\w+$/, ''));
    const rank = n === needle ? 0 : l === low || q === bare ? 1 : l.startsWith(low) || q.startsWith(bare) ? 2 : l.includes(low) || q.includes(bare) ? 3 : s.toLowerCase().includes(low) ? 4 : 5;
    return rank * unit + Math.min(s.length, unit - 1);
  };
  return found
    .map((i): [number, number] => [score(haystack[i]), i])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1])
    .slice(0, count)
    .map(([s, i]) => [Math.floor(s / unit), i]);
}

/** One rank of matches, beyond any length. */
const unit = 10_000;
const squeezed = (s: string) => s.replace(/[\s_.\-/:]+/g, '');

const base = (p: string) => p.slice(p.lastIndexOf('/') + 1);

function find(x: Index, needle: string): [string, Hit[]][] {
  const dirs = best(x.dirPaths, needle, most.dirs * 3, base)
    .filter(([, i]) => x.dirs[i][2] && x.dirPaths[i])
    .slice(0, most.dirs)
    .map(([rank, i]) => ({ rank, label: x.dirPaths[i], detail: '', kind: 'directory', href: pageOf(x.dirs, i) }));
  const files = best(x.filePaths, needle, most.files, base).map(([rank, i]) => {
    const [dir, name] = x.search.files[i];
    return { rank, label: name, detail: x.dirPaths[dir] || 'root', kind: 'file', href: `${pageOf(x.dirs, dir)}#${anchor(name)}` };
  });
  const symbols = best(x.names, needle, most.symbols, (s) => s).map(([rank, i]) => {
    const [file, kind, line] = x.at[i];
    const [dir, name] = x.search.files[file];
    return {
      rank, label: x.names[i], detail: x.filePaths[file] + (line ? `:${line}` : ''), kind: x.search.kinds[kind] ?? 'symbol',
      href: `${pageOf(x.dirs, dir)}#${anchor(name)}${line ? `~L${line}` : ''}`,
    };
  });
  const groups: [string, Hit[]][] = [['Directories', dirs], ['Files', files], ['Symbols', symbols]];
  // The group with the best match comes first.
  return groups.filter(([, hits]) => hits.length).sort((a, b) => a[1][0].rank - b[1][0].rank);
}

/** A label with what was typed in it marked. */
function marked(label: string, needle: string): (Node | string)[] {
  const at = needle ? label.toLowerCase().indexOf(needle.toLowerCase()) : -1;
  if (at < 0) return [label];
  return [label.slice(0, at), el('mark', {}, label.slice(at, at + needle.length)), label.slice(at + needle.length)];
}

export function initSearch(pm: ProjectMap) {
  const box = byId('search');
  if (!box) return;
  const list = el('div', { id: 'results', class: 'results', role: 'listbox', 'aria-label': 'Results', hidden: true });
  const status = el('p', { class: 'sr', 'aria-live': 'polite' });
  const input = el('input', {
    id: 'q', type: 'search', role: 'combobox', 'aria-label': 'Search directories, files and symbols', 'aria-autocomplete': 'list',
    'aria-controls': 'results', 'aria-expanded': 'false', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false',
    placeholder: 'Search  /', 'aria-keyshortcuts': '/',
  });
  box.append(input, list, status);

  let index: Promise<Index> | null = null;
  let options: HTMLAnchorElement[] = [];
  let chosen = -1;
  let turn = 0;
  const load = () => {
    index ??= Promise.all([pm.load('dirs'), pm.load('search')]).then(([d, s]) => makeIndex(d, s));
    index.catch(() => { index = null; });
    return index;
  };
  const show = (open: boolean) => {
    list.hidden = !open;
    input.setAttribute('aria-expanded', String(open));
    if (!open) choose(-1);
  };
  const choose = (i: number) => {
    options[chosen]?.setAttribute('aria-selected', 'false');
    chosen = i;
    const o = options[i];
    if (!o) {
      input.removeAttribute('aria-activedescendant');
      return;
    }
    o.setAttribute('aria-selected', 'true');
    input.setAttribute('aria-activedescendant', o.id);
    o.scrollIntoView({ block: 'nearest' });
  };
  const say = (text: string) => {
    list.replaceChildren(el('p', { class: 'none', role: 'presentation' }, text));
    list.setAttribute('role', 'presentation');
    status.textContent = text;
    options = [];
    show(true);
  };
  const update = async () => {
    const needle = input.value.trim();
    const mine = ++turn;
    if (!needle) {
      options = [];
      list.replaceChildren();
      show(false);
      return;
    }
    let x: Index;
    try {
      x = await load();
    } catch (e) {
      if (mine === turn) say(`The search cannot be used: ${(e as Error).message}.`);
      return;
    }
    if (mine !== turn) return;
    const groups = find(x, needle);
    options = [];
    chosen = -1;
    input.removeAttribute('aria-activedescendant');
    const parts = groups.map(([title, hits], g) => {
      const items = hits.map((h) => {
        const o = el('a', { role: 'option', id: `o${options.length}`, href: h.href, tabindex: -1, 'aria-selected': 'false', onclick: () => show(false) },
          el('span', { class: 'kind' }, h.kind), el('bdi', { class: 'label' }, ...marked(h.label, needle)), h.detail && el('bdi', { class: 'dim' }, h.detail));
        options.push(o);
        return o;
      });
      return el('div', { role: 'group', 'aria-labelledby': `g${g}` }, el('p', { id: `g${g}`, class: 'group', role: 'presentation' }, title), ...items);
    });
    if (!options.length) {
      say('Nothing was found.');
      return;
    }
    if (x.search.left) parts.push(el('p', { class: 'none', role: 'presentation' }, `${format(x.search.left)} private names or names of tests are not searched.`) as never);
    list.setAttribute('role', 'listbox');
    list.replaceChildren(...parts);
    status.textContent = `${options.length} results`;
    show(true);
    choose(0);
  };
  input.addEventListener('focus', () => { void load().catch(() => undefined); });
  input.addEventListener('input', () => void update());
  input.addEventListener('keydown', (e) => {
    switch (e.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        if (list.hidden && input.value.trim()) void update();
        const n = options.length;
        if (n) choose((chosen + (e.key === 'ArrowDown' ? 1 : -1) + n) % n);
        break;
      }
      case 'Enter':
        options[Math.max(chosen, 0)]?.click();
        break;
      case 'Escape':
        if (list.hidden) input.value = '';
        show(false);
        break;
      default:
        return;
    }
    e.preventDefault();
  });
  box.addEventListener('focusout', (e) => {
    if (!box.contains(e.relatedTarget as Node | null)) show(false);
  });
  // A press on an option must not take the focus before the click.
  list.addEventListener('mousedown', (e) => e.preventDefault());
  document.addEventListener('keydown', (e) => {
    const t = e.target as HTMLElement;
    if (e.key !== '/' || e.ctrlKey || e.metaKey || e.altKey || /^(input|select|textarea)$/i.test(t.tagName) || t.isContentEditable) return;
    e.preventDefault();
    input.focus();
    input.select();
  });
}
