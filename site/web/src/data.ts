// The data of the site: arrays that scripts in data/ hand over. Names in them
// are text and never become markup.

/** Name, number of the parent (-1 for none), page without extension, files, lines. */
export type Dir = [name: string, parent: number, page: string, files: number, lines: number];

export interface Files {
  languages: string[];
  files: [dir: number, name: string, lines: number, bytes: number, commits: number, recency: number, language: number, role: number, count: number][];
}

export interface Search {
  files: [dir: number, name: string][];
  /** Lines of kind, line in base 36, space and name, for each file. */
  symbols: string[];
  kinds: string[];
  left: number;
}

export interface Tables {
  dirs: Dir[];
  /** Triples of from, to and references. */
  edges: number[];
  files: Files;
  search: Search;
}

export interface ProjectMap {
  data(name: string, value: unknown): void;
  get<K extends keyof Tables>(name: K): Tables[K] | undefined;
  load<K extends keyof Tables>(name: K): Promise<Tables[K]>;
}

declare global {
  interface Window {
    projectMap: ProjectMap;
    trustedTypes?: { createPolicy(name: string, rules: { createScriptURL(s: string): string }): { createScriptURL(s: string): string } };
  }
}

/** root leads from the page to the folder of the site. */
export const root = () => document.body.dataset.root ?? '';

/** The address of the page of a directory, or of the nearest one above with a page. */
export function pageOf(dirs: Dir[], i: number): string {
  while (i > 0 && !dirs[i][2]) i = dirs[i][1];
  return `${root()}dir/${dirs[i][2]}.html`;
}

const encoder = new TextEncoder();

/** The id of a file on the page of its directory, as site/names.go makes it. */
export function anchor(name: string): string {
  let out = 'f-';
  for (const c of encoder.encode(name)) {
    const ch = String.fromCharCode(c);
    out += c < 0x80 && /[A-Za-z0-9._-]/.test(ch) ? ch : '~' + c.toString(16).padStart(2, '0');
  }
  return out;
}

/** Paths of all directories, "" for the root. */
export function paths(dirs: Dir[]): string[] {
  const out: string[] = [];
  for (const [name, parent] of dirs) out.push(parent < 0 ? '' : (out[parent] ? out[parent] + '/' : '') + name);
  return out;
}

/** What the address names a directory by, and back. */
export const slugOf = (dirs: Dir[], i: number) => dirs[i][2] || `n${i}`;
export function bySlug(dirs: Dir[], slug: string): number {
  const i = dirs.findIndex((d) => d[2] === slug && slug !== '');
  if (i >= 0) return i;
  const m = /^n(\d+)$/.exec(slug);
  return m && Number(m[1]) < dirs.length ? Number(m[1]) : 0;
}

export const format = (n: number) => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, '\u202f');
export const plural = (n: number, noun: string) =>
  n === 1 ? `1 ${noun}` : `${format(n)} ${noun.endsWith('y') ? noun.slice(0, -1) + 'ies' : noun + 's'}`;
