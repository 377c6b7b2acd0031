// What every page has: data, search, theme, the tree, and addresses of symbols.
import type { ProjectMap, Tables } from './data';
import { byId } from './dom';
import { initSearch } from './search';
import { initTheme } from './themes';
import { initTree } from './tree';

const values = new Map<string, unknown>();
const waiting = new Map<string, Promise<unknown>>();
const arrived = new Map<string, (v: unknown) => void>();

// Under the policy of the pages, this alone can add a script, and only one of data.
const policy = window.trustedTypes?.createPolicy('project-map', {
  createScriptURL(s) {
    if (!/^(\.\.\/)?data\/[a-z]+\.js$/.test(s)) throw new TypeError('not a script of data');
    return s;
  },
});

const projectMap: ProjectMap = {
  data(name, value) {
    values.set(name, value);
    arrived.get(name)?.(value);
  },
  get: (name) => values.get(name) as never,
  load<K extends keyof Tables>(name: K) {
    if (values.has(name)) return Promise.resolve(values.get(name) as Tables[K]);
    let p = waiting.get(name);
    if (!p) {
      p = new Promise((resolve, reject) => {
        arrived.set(name, resolve);
        const s = document.createElement('script');
        const url = `${document.body.dataset.root ?? ''}data/${name}.js`;
        s.src = policy ? policy.createScriptURL(url) : url;
        s.onerror = () => {
          waiting.delete(name);
          s.remove();
          reject(new Error(`${url} could not be loaded`));
        };
        document.head.append(s);
      });
      waiting.set(name, p);
    }
    return p as Promise<Tables[K]>;
  },
};
window.projectMap = projectMap;

/** Shows what the address names, also where it stands inside something closed. */
function reveal() {
  let id = location.hash.slice(1);
  try {
    id = decodeURIComponent(id);
  } catch {
    return;
  }
  for (const old of document.querySelectorAll('.target')) old.classList.remove('target');
  if (!/^f-/.test(id)) return;
  // A symbol that the page leaves out leads to its file.
  const target = byId(id) ?? byId(id.replace(/~L\d+$/, ''));
  if (!target) return;
  for (let d = target.closest('details'); d; d = d.parentElement?.closest('details') ?? null) d.open = true;
  target.classList.add('target');
  target.scrollIntoView({ block: 'start' });
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

initTheme();
initSearch(projectMap);
initTree();
reveal();
addEventListener('hashchange', reveal);
addEventListener('beforeprint', () => {
  for (const d of document.querySelectorAll<HTMLDetailsElement>('details:not([open])')) {
    d.open = true;
    d.dataset.printed = '';
  }
});
addEventListener('afterprint', () => {
  for (const d of document.querySelectorAll<HTMLDetailsElement>('details[data-printed]')) {
    d.open = false;
    delete d.dataset.printed;
  }
});
