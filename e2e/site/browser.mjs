// Drives a browser over sites that project-map wrote, and fails with what is
// wrong. Usage: browser.mjs TOOLS CHECK SITE [BROWSER]
//
// TOOLS holds node_modules with puppeteer-core and axe-core; CHECK is one of the
// functions at the end; BROWSER is the program, Chromium unless it is Firefox.
import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import { mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , tools, check, site, program] = process.argv;
const require = createRequire(path.join(tools, 'package.json'));
const puppeteer = require('puppeteer-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const problems = [];
const expect = (ok, what) => { if (!ok) problems.push(what); };
const local = pathToFileURL(site + path.sep).href;
const pagesOf = () => readdirSync(path.join(site, 'dir')).filter((f) => f.endsWith('.html')).sort();
const firefox = /firefox/.test(program);
const browser = await puppeteer.launch({
  browser: firefox ? 'firefox' : 'chrome', executablePath: program, headless: true,
  args: firefox ? [] : ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});

// A page that tells of violations, errors and requests that leave the site.
async function open(url, { theme = 'light', width = 1280, height = 900, script = true, allowed = local } = {}) {
  const page = await browser.newPage();
  page.on('pageerror', (e) => problems.push(`${page.url()}: ${e.message}`));
  page.on('dialog', (d) => { problems.push(`${page.url()} opened a dialog`); void d.dismiss(); });
  page.on('console', (m) => {
    if (m.type() === 'error' || /content.security.policy/i.test(m.text())) problems.push(`${page.url()}: ${m.text()}`);
  });
  page.on('request', (r) => expect(r.url().startsWith(allowed), `${page.url()} asks for ${r.url()}`));
  page.on('requestfailed', (r) => problems.push(`${r.url()} could not be loaded`));
  if (!firefox) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await page.evaluateOnNewDocument(() => {
      window.violations = [];
      document.addEventListener('securitypolicyviolation', (e) => window.violations.push(`${e.violatedDirective} ${e.blockedURI} ${e.sample}`));
    });
    if (!script) await page.setJavaScriptEnabled(false);
  }
  await page.setViewport({ width, height });
  await page.goto(url, { waitUntil: 'load' });
  return page;
}

async function close(page) {
  if (!firefox) {
    const seen = await page.evaluate(() => window.violations ?? []);
    for (const v of seen) problems.push(`${page.url()}: the policy was violated: ${v}`);
  }
  await page.close();
}

const wait = (page, f, what, ...args) => page.waitForFunction(f, { timeout: 8000 }, ...args).catch(() => { problems.push(`${page.url()}: ${what}`); });
const text = (page, selector) => page.$eval(selector, (e) => e.textContent.trim()).catch(() => '');

async function accessible(page, name) {
  // The page's policy would refuse the checker; it does not hold for the tools of
  // the browser.
  const session = await page.createCDPSession();
  await session.send('Runtime.evaluate', { expression: axe });
  const result = await page.evaluate(() => axe.run(document, { preload: false }));
  for (const v of result.violations) {
    if (v.impact === 'serious' || v.impact === 'critical') problems.push(`${name}: ${v.impact}: ${v.id}: ${v.nodes[0].html.slice(0, 200)}`);
  }
}

async function narrow(page, name) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide <= 0, `${name}: is ${wide} px wider than the screen`);
}

/** Serves the site for pages that come over HTTP, and counts what they take. */
async function serve() {
  const taken = { bytes: 0 };
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
  const server = createServer((q, r) => {
    try {
      const data = readFileSync(path.join(site, decodeURIComponent(new URL(q.url, 'http://x').pathname)));
      taken.bytes += data.length;
      r.writeHead(200, { 'content-type': types[path.extname(new URL(q.url, 'http://x').pathname)] ?? 'application/octet-stream' }).end(data);
    } catch {
      r.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { server, taken, base: `http://127.0.0.1:${server.address().port}/` };
}

const checks = {
  /** The tree by keys, the treemap, the graph and the search by clicks and keys, the themes. */
  async clicks() {
    let p = await open(local + 'index.html');
    // The tree: down to a directory, open it, into it, and to its page.
    await p.focus('#tree [role=treeitem]');
    for (const key of ['End', 'Home', 'ArrowDown']) await p.keyboard.press(key);
    const first = await p.evaluate(() => document.activeElement.textContent);
    expect(first === 'core', `the arrow leads to ${first}`);
    await p.keyboard.press('ArrowRight');
    expect(await p.evaluate(() => document.activeElement.getAttribute('aria-expanded')) === 'true', 'the right arrow opens nothing');
    await p.keyboard.press('ArrowRight');
    await p.keyboard.press('ArrowLeft');
    await p.keyboard.press('w');
    expect(await p.evaluate(() => document.activeElement.textContent) === 'web', 'typing a letter leads nowhere');
    await Promise.all([p.waitForNavigation(), p.keyboard.press('Enter')]);
    expect(await text(p, 'h1') === 'web', `Enter opens ${p.url()}`);
    // Its page leads to what it uses.
    await Promise.all([p.waitForNavigation(), p.click('#uses + ul a')]);
    expect(await text(p, 'h1') === 'core', `the dependency leads to ${p.url()}`);
    await close(p);

    // The treemap: into a directory, out by its path, out by a key, other colours.
    p = await open(local + 'index.html');
    await p.waitForSelector('.cell');
    await p.evaluate(() => [...document.querySelectorAll('.cell.open, .cell.closed')].find((c) => c.textContent === 'core').click());
    await wait(p, () => document.querySelector('#treemap-crumbs [aria-current]').textContent === 'core', 'a click on a directory does not go into it');
    await p.click('#treemap-crumbs a');
    await wait(p, () => document.querySelector('#treemap-crumbs [aria-current]').textContent === 'root', 'the path does not lead out');
    await p.goBack();
    await wait(p, () => document.querySelector('#treemap-crumbs [aria-current]').textContent === 'core', 'the button for back does nothing');
    await p.focus('.cell[tabindex="0"]');
    await p.keyboard.press('ArrowRight');
    await p.keyboard.press('Escape');
    await wait(p, () => document.querySelector('#treemap-crumbs [aria-current]').textContent === 'root', 'Escape does not lead out');
    for (const colour of ['age', 'language', 'purpose', 'change']) {
      await p.select('#treemap-colour', colour);
      expect((await p.$$('#treemap-legend li')).length > 0, `there is no legend for ${colour}`);
    }
    await p.select('#treemap-size', 'bytes');
    const href = await p.$eval('a.cell[href*="#f-"]', (a) => a.href);
    await Promise.all([p.waitForNavigation(), p.evaluate(() => document.querySelector('a.cell[href*="#f-"]').click())]);
    expect(p.url() === href && await p.$('.target'), `a file of the treemap leads to ${p.url()}`);
    await close(p);

    // The graph: choose, follow the list, look inside.
    p = await open(local + 'graph.html#d=');
    await p.waitForSelector('.node');
    await p.evaluate(() => [...document.querySelectorAll('.node')].find((n) => n.textContent.startsWith('core')).dispatchEvent(new MouseEvent('click', { bubbles: true })));
    await wait(p, () => /Used by.*web/s.test(document.querySelector('#graph-panel').textContent), 'the panel does not list what uses the directory');
    expect((await p.$$('.edge.into')).length > 0, 'the edges of the chosen directory are not brought out');
    await p.click('#graph-panel .link');
    await wait(p, () => document.querySelector('.node.chosen') && !document.querySelector('.node.chosen').textContent.startsWith('core'), 'the list does not choose');
    await p.keyboard.press('Escape');
    await p.evaluate(() => [...document.querySelectorAll('.node')].find((n) => n.textContent.startsWith('core')).focus());
    await p.keyboard.press('Enter');
    await wait(p, () => document.querySelector('#graph-panel .actions button'), 'there is no way inside');
    await p.click('#graph-panel .actions button');
    await wait(p, () => document.querySelector('#graph-crumbs [aria-current]').textContent === 'core', 'looking inside shows another directory');
    expect((await p.$$('.node.outside')).length > 0, 'what is outside is not shown');
    const before = await p.$eval('.view', (g) => g.getAttribute('transform'));
    await p.click('#graph-controls .buttons button:nth-child(2)');
    await wait(p, (b) => document.querySelector('.view').getAttribute('transform') !== b, 'the button does not zoom', before);
    await p.select('#graph-depth', '2');
    await wait(p, () => location.hash.includes('depth=2'), 'the depth does not change');
    await close(p);

    // The search by keys alone, from a page in a folder.
    p = await open(local + 'dir/' + pagesOf()[0]);
    await p.keyboard.press('/');
    await p.keyboard.type('widget maker');
    await wait(p, () => document.querySelectorAll('#results [role=option]').length > 0, 'nothing is found');
    expect(await p.$eval('#results [aria-selected=true] .label', (e) => e.textContent).catch(() => '') === 'WidgetMaker', 'the best match is not the first');
    await p.keyboard.press('ArrowDown');
    await p.keyboard.press('ArrowUp');
    await Promise.all([p.waitForNavigation(), p.keyboard.press('Enter')]);
    expect(/#f-maker\.go~L\d+$/.test(p.url()), `the search leads to ${p.url()}`);
    await wait(p, () => document.querySelector('li.target'), 'the symbol is not brought out');
    await p.keyboard.press('/');
    await p.keyboard.type('zzzzqqqq');
    await wait(p, () => /Nothing/.test(document.querySelector('#results').textContent), 'it is not said that nothing is found');
    await p.keyboard.press('Escape');
    expect(await p.$eval('#results', (e) => e.hidden), 'Escape does not close the results');
    // The theme is remembered.
    await p.click('#theme');
    await p.click('#theme');
    await p.reload();
    expect(await p.evaluate(() => document.documentElement.dataset.theme) === 'dark', 'the theme is forgotten');
    await p.click('#theme');
    await p.keyboard.press('Home');
    await p.focus('.skip');
    expect(await p.$eval('.skip', (e) => e.getBoundingClientRect().top >= -64), 'the skip link is gone');
    await close(p);

    // Without scripts.
    p = await open(local + 'index.html', { script: false });
    expect((await p.$$('#tree a')).length > 3, 'there is no tree without scripts');
    await close(p);
  },

  /** Both themes, a phone, HTTP, on each kind of page. */
  async looks() {
    const { server, base } = await serve();
    const pages = ['index.html', 'graph.html', ...pagesOf().filter((f) => /^(root|core|web)-/.test(f)).map((f) => 'dir/' + f)];
    for (const name of pages) {
      for (const theme of ['light', 'dark']) {
        const p = await open(base + name, { theme, allowed: base });
        await accessible(p, `${name}, ${theme}`);
        if (name === 'index.html') {
          for (const colour of ['age', 'language', 'purpose']) {
            await p.select('#treemap-colour', colour);
            await accessible(p, `${name}, ${theme}, ${colour}`);
          }
          await p.keyboard.press('/');
          await p.keyboard.type('core');
          await wait(p, () => document.querySelectorAll('#results [role=option]').length > 0, 'nothing is found');
          await accessible(p, `${name}, ${theme}, results`);
        }
        await close(p);
      }
      const phone = await open(base + name, { width: 360, height: 740, allowed: base });
      await narrow(phone, name);
      await accessible(phone, `${name}, phone`);
      await close(phone);
    }
    server.close();
  },

  /** Names that are markup stay text, wherever they stand. */
  async hostile() {
    for (const name of ['index.html', 'graph.html', ...pagesOf().map((f) => 'dir/' + f)]) {
      const p = await open(local + name);
      expect(await p.evaluate(() => window.hacked === undefined), `${name} ran a script of the repository`);
      const made = await p.evaluate(() => document.querySelectorAll('img, iframe, object, form, base, [onerror], [onload], [onclick], script:not([src])').length);
      expect(made === 0, `${name} has elements of the repository`);
      const odd = await p.$$eval('[href]', (all) => all.map((a) => a.href).filter((h) => !/^(file|https?):/.test(h)));
      expect(odd.length === 0, `${name} links ${odd}`);
      await close(p);
    }
    let p = await open(local + 'index.html');
    for (const typed of ['<script>window', 'onerror=window', '__proto__', 'constructor', "'-window"]) {
      await p.keyboard.press('/');
      await p.$eval('#q', (e) => { e.value = ''; });
      await p.type('#q', typed);
      await wait(p, () => document.querySelectorAll('#results [role=option]').length > 0, `${typed} is not found`);
    }
    for (const colour of ['language', 'purpose', 'age']) await p.select('#treemap-colour', colour);
    for (const c of await p.$$('.cell')) await c.hover().catch(() => undefined);
    expect(await p.evaluate(() => window.hacked === undefined), 'the search ran a script of the repository');
    const shown = await p.evaluate(() => document.body.textContent);
    for (const name of ['<script>window.hacked=1</script>'.replace('/', '\\'), '"><img src=x onerror=window.hacked=1>']) expect(shown.includes(name), `${name} is not shown as it is`);
    expect(!/[\u202e\u2028\u200d]/.test(shown), 'something that cannot be seen is shown');
    await close(p);
    p = await open(local + 'graph.html#d=%3Cscript%3E&at=__proto__&depth=x');
    await p.waitForSelector('.node');
    for (const n of await p.$$('.node')) {
      await n.evaluate((e) => e.dispatchEvent(new MouseEvent('click', { bubbles: true })));
    }
    expect(await p.evaluate(() => window.hacked === undefined), 'the graph ran a script of the repository');
    await close(p);
  },

  /** The first view of a large repository is fast and small. */
  async large() {
    const { server, taken, base } = await serve();
    const times = [];
    for (let i = 0; i < 5; i++) {
      taken.bytes = 0;
      const p = await open(base + 'index.html', { allowed: base });
      await p.waitForSelector('.cell');
      times.push(await p.evaluate(() => {
        const nav = performance.getEntriesByType('navigation')[0];
        const paint = performance.getEntriesByName('first-contentful-paint')[0];
        // Scripts that draw are deferred: after them, the page is complete.
        return { painted: Math.round(paint.startTime), complete: Math.round(nav.loadEventEnd) };
      }));
      await close(p);
    }
    const bytes = taken.bytes;
    times.sort((a, b) => a.complete - b.complete);
    const median = times[2];
    const p = await open(base + 'index.html', { allowed: base });
    await p.focus('#q');
    const search = Date.now();
    await p.type('#q', 'file4999', { delay: 0 });
    await wait(p, () => document.querySelectorAll('#results [role=option]').length > 0, 'nothing is found');
    const found = Date.now() - search;
    await close(p);
    const g = await open(base + 'graph.html', { allowed: base });
    await g.waitForSelector('.node');
    const graph = await g.evaluate(() => Math.round(performance.getEntriesByType('navigation')[0].loadEventEnd));
    const nodes = (await g.$$('.node')).length;
    expect(nodes > 4 && nodes <= 48, `the graph shows ${nodes} directories`);
    await close(g);
    server.close();
    console.log(`first view: painted after ${median.painted} ms, complete after ${median.complete} ms (median of ${times.length}), ${(bytes / 1e6).toFixed(2)} MB; search ready and answered after ${found} ms; graph complete after ${graph} ms, ${nodes} directories`);
    expect(median.complete < 1000, `the first view takes ${median.complete} ms`);
    expect(bytes < 3e6, `the first view takes ${bytes} bytes`);
  },

  /** Another engine loads the pages and their data from files. */
  async firefox() {
    const p = await open(local + 'index.html');
    await p.waitForSelector('.cell');
    await p.focus('#q');
    await p.type('#q', 'core');
    await wait(p, () => document.querySelectorAll('#results [role=option]').length > 0, 'nothing is found');
    await close(p);
    const g = await open(local + 'graph.html#d=');
    await g.waitForSelector('.node');
    await close(g);
  },

  /** Pictures for the documentation, into the directory SHOTS. */
  async shots() {
    const out = process.env.SHOTS;
    mkdirSync(out, { recursive: true });
    const shot = async (name, url, how, before) => {
      const p = await open(local + url, how);
      await new Promise((done) => setTimeout(done, 300));
      if (before) await before(p);
      await new Promise((done) => setTimeout(done, 300));
      await p.screenshot({ path: path.join(out, name + '.png') });
      await close(p);
    };
    await shot('site-overview', 'index.html', { width: 1120, height: 760 });
    await shot('site-graph', 'graph.html', { width: 1100, height: 680, theme: 'dark' }, (p) => p.evaluate(() => document.querySelectorAll('.node')[4].dispatchEvent(new MouseEvent('click', { bubbles: true }))));
    const page = pagesOf().map((f) => [statSync(path.join(site, 'dir', f)).size, f]).sort((a, b) => b[0] - a[0])[0][1];
    await shot('site-directory', 'dir/' + page, { width: 1200, height: 760 });
    await shot('site-phone', 'index.html', { width: 360, height: 720, theme: 'dark' });
  },
};

try {
  await checks[check]();
} catch (e) {
  problems.push(e.stack ?? String(e));
}
await browser.close();
for (const p of problems) console.error(p);
process.exit(problems.length ? 1 : 0);
