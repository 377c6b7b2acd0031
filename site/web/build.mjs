// Builds the front end into the directory that is given, or into ../assets. The
// same sources and lock file give the same bytes.
import { build } from 'esbuild';
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(process.argv[2] ?? path.join(here, '../assets'));

await mkdir(out, { recursive: true });
for (const name of await readdir(out)) {
  // The directory has maps of its own, which are not built here.
  if (!name.startsWith('.pi-map')) await rm(path.join(out, name), { recursive: true });
}
const result = await build({
  absWorkingDir: here,
  entryPoints: ['src/theme.ts', 'src/site.ts', 'src/treemap.ts', 'src/graph.ts', 'src/site.css'],
  outdir: out,
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['es2021', 'chrome110', 'firefox115', 'safari16'],
  charset: 'ascii',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
await copyFile(path.join(here, 'src/icon.svg'), path.join(out, 'icon.svg'));

// The licences of what is in the bundles, by name.
const packages = new Set();
for (const input of Object.keys(result.metafile.inputs)) {
  const m = input.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//);
  if (m) packages.add(m[1]);
}
let text = 'The scripts in this directory contain the following packages.\n';
for (const name of [...packages].sort()) {
  const dir = path.join(here, 'node_modules', name);
  const { version, license } = JSON.parse(await readFile(path.join(dir, 'package.json'), 'utf8'));
  const file = (await readdir(dir)).filter((f) => /^licen[cs]e(\.|$)/i.test(f)).sort()[0];
  if (!file) throw new Error(`${name}: there is no licence file`);
  const body = (await readFile(path.join(dir, file), 'utf8')).replaceAll('\r\n', '\n').trim();
  text += `\n== ${name} ${version} (${license}) ==\n\n${body}\n`;
}
await writeFile(path.join(out, 'LICENSES.txt'), text);
