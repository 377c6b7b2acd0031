// The list of directories as a tree by the ARIA pattern for navigation: the
// links are its items. Without this script it is a list of links.
import { byId, el } from './dom';

export function initTree() {
  const box = byId('tree');
  const top = box?.querySelector('ul');
  if (!box || !top) return;
  const links = [...top.querySelectorAll<HTMLAnchorElement>('.row > a')];
  const entry = (a: HTMLElement) => a.closest('li')!;
  const group = (a: HTMLElement) => entry(a).querySelector<HTMLUListElement>(':scope > ul');
  const above = (a: HTMLElement) => entry(a).parentElement!.closest('li')?.querySelector<HTMLAnchorElement>(':scope > .row > a');
  const children = (a: HTMLElement) => [...(group(a)?.querySelectorAll<HTMLAnchorElement>(':scope > li > .row > a') ?? [])];
  top.setAttribute('role', 'tree');
  top.setAttribute('aria-label', 'Directories');

  const setOpen = (a: HTMLElement, open: boolean) => {
    if (!group(a)) return;
    a.setAttribute('aria-expanded', String(open));
    entry(a).classList.toggle('open', open);
  };
  const focus = (a: HTMLElement) => {
    for (const x of links) if (x.tabIndex === 0) x.tabIndex = -1;
    a.tabIndex = 0;
    a.focus();
  };
  links.forEach((a, i) => {
    const g = group(a);
    const siblings = entry(a).parentElement!.children;
    entry(a).setAttribute('role', 'none');
    a.setAttribute('role', 'treeitem');
    a.setAttribute('aria-setsize', String(siblings.length));
    a.setAttribute('aria-posinset', String([].indexOf.call(siblings, entry(a) as never) + 1));
    let level = 1;
    for (let p = above(a); p; p = above(p)) level++;
    a.setAttribute('aria-level', String(level));
    a.tabIndex = -1;
    const t = el('span', { class: g ? 'toggle' : 'toggle none', 'aria-hidden': 'true' });
    if (g) {
      g.id = `tree-${i}`;
      g.setAttribute('role', 'group');
      a.setAttribute('aria-owns', g.id);
      t.addEventListener('click', () => {
        setOpen(a, a.getAttribute('aria-expanded') !== 'true');
        focus(a);
      });
      setOpen(a, false);
    }
    a.before(t);
  });
  // The root, and further down where there is no choice.
  for (let a: HTMLAnchorElement | undefined = links[0]; a; ) {
    setOpen(a, true);
    const inner: HTMLAnchorElement[] = children(a);
    a = inner.length === 1 ? inner[0] : undefined;
  }
  // And one that holds most of the files.
  const size = (a: HTMLElement) => Number(entry(a).querySelector(':scope > .row > .count')?.textContent?.replace(/\D/g, '') ?? 0);
  for (const a of children(links[0])) if (size(a) * 2 > size(links[0]) && children(a).length <= 40) setOpen(a, true);
  links[0].tabIndex = 0;

  const visible = () => links.filter((a) => {
    for (let p = above(a); p; p = above(p)) if (p.getAttribute('aria-expanded') !== 'true') return false;
    return true;
  });
  let typed = '';
  let typedAt = 0;
  top.addEventListener('keydown', (e) => {
    const a = (e.target as HTMLElement).closest<HTMLAnchorElement>('[role=treeitem]');
    if (!a || e.ctrlKey || e.metaKey || e.altKey) return;
    const list = visible();
    const at = list.indexOf(a);
    const open = a.getAttribute('aria-expanded');
    let to: HTMLElement | null | undefined;
    switch (e.key) {
      case 'ArrowDown': to = list[at + 1]; break;
      case 'ArrowUp': to = list[at - 1]; break;
      case 'Home': to = list[0]; break;
      case 'End': to = list[list.length - 1]; break;
      case 'ArrowRight':
        if (open === 'false') setOpen(a, true);
        else if (open === 'true') to = children(a)[0];
        break;
      case 'ArrowLeft':
        if (open === 'true') setOpen(a, false);
        else to = above(a);
        break;
      case ' ': a.click(); break;
      case '*':
        for (const x of above(a) ? children(above(a)!) : [a]) setOpen(x, true);
        break;
      default: {
        if (e.key.length !== 1 || e.key === '/') return;
        typed = e.timeStamp - typedAt < 600 ? typed + e.key.toLowerCase() : e.key.toLowerCase();
        typedAt = e.timeStamp;
        const from = typed.length > 1 ? at : at + 1;
        to = [...list.slice(from), ...list.slice(0, from)].find((x) => x.textContent!.toLowerCase().startsWith(typed));
        if (!to) return;
      }
    }
    e.preventDefault();
    if (to) focus(to);
  });
}
