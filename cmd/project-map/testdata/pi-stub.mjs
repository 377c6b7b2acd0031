// Loads the extension for Pi with a stand-in for Pi's API and calls its tools.
// Arguments: the extension (as a module), a repository, a directory for files.
import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [extension, repo, scratch] = process.argv.slice(2);
const tools = new Map();
const { default: load } = await import(extension);
load({ registerTool: (t) => tools.set(t.name, t) });
assert.deepEqual([...tools.keys()], ["project-map", "context_oracle"]);
for (const t of tools.values()) {
	assert.ok(t.promptSnippet && t.description && t.label);
	for (const g of t.promptGuidelines) assert.ok(g.includes(t.name), g);
	assert.equal(t.parameters.type, "object");
}
assert.deepEqual(tools.get("context_oracle").parameters.properties.action.enum, ["ask", "symbol", "file", "diagnostics", "editImpact"]);

const call = async (name, params, signal) => {
	const r = await tools.get(name).execute("1", params, signal, undefined, { cwd: repo });
	assert.equal(r.content.length, 1);
	assert.equal(r.content[0].type, "text");
	return r;
};
const text = async (...a) => (await call(...a)).content[0].text;
const fails = (what, ...a) => assert.rejects(call(...a), (e) => e instanceof Error && what.test(e.message) || assert.fail(e));

// It needs no store before, and sees what was written a moment ago.
let out = await text("project-map", { action: "context", query: "where does Put block; $(touch shell) `touch shell` \"'" });
assert.match(out, /^# Context bundle: /);
assert.match(out, /queue\/queue\.go/);
writeFileSync(join(repo, "queue", "later.go"), "package queue\n\nfunc WrittenJustNow() {}\n");
let r = await call("context_oracle", { action: "symbol", symbol: "WrittenJustNow" });
assert.equal(JSON.parse(r.content[0].text).confidence, r.details.confidence);
assert.match(r.content[0].text, /queue\/later\.go/);
for (const request of [
	{ action: "ask", query: "where is Put defined?" },
	{ action: "file", file: "@queue/queue.go" },
	{ action: "diagnostics", scope: "queue/**" },
	{ action: "editImpact", symbol: "Put", file: "queue/queue.go" },
]) {
	r = await call("context_oracle", request);
	assert.ok(r.details.answer, JSON.stringify(request));
	assert.ok(["high", "medium", "low"].includes(r.details.confidence));
}
assert.match(await text("project-map", { action: "context", query: "-" + "long ".repeat(60000) }), /^# Context bundle: /);
out = await Promise.all([1, 2, 3].map((i) => text("project-map", { action: "context", query: `queue ${i}` })));
assert.equal(out.length, 3);

// Mistakes of the model.
await fails(/one action: "context"/, "project-map", { action: "search", query: "x" });
await fails(/needs a query/, "project-map", { action: "context", query: "  " });
await fails(/^The call is wrong; correct it and call again\..*project-map: /s, "context_oracle", { action: "guess" });
await fails(/^The call is wrong/, "context_oracle", { action: "symbol" });

// Programs that fail, write much, hang, or are not there.
const program = (name, script) => {
	const file = join(scratch, name);
	writeFileSync(file, `#!/bin/sh\n${script}\n`);
	chmodSync(file, 0o755);
	process.env.PROJECT_MAP_BIN = file;
};
program("lines", "i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done");
r = await call("project-map", { action: "context", query: "x" });
assert.ok(r.details.truncated);
assert.match(r.content[0].text, /line 1999\n\n\[Cut: the first \d+ of \d+ bytes\./);
assert.doesNotMatch(r.content[0].text, /line 2000/);
program("bytes", "head -c 200000 /dev/zero | tr '\\0' x");
r = await call("context_oracle", { action: "ask", query: "x" });
assert.ok(Buffer.byteLength(r.content[0].text) < 52 * 1024);
program("broken", "echo 'project-map: it is so' >&2; exit 3");
await fails(/cannot answer here\. project-map: it is so\n.*Go on without it/s, "project-map", { action: "context", query: "x" });
program("killed", "kill -9 $$");
await fails(/ended by the system/, "project-map", { action: "context", query: "x" });
program("hangs", "exec sleep 60");
const started = Date.now();
await fails(/was cancelled/, "project-map", { action: "context", query: "x" }, AbortSignal.timeout(200));
await fails(/was cancelled/, "project-map", { action: "context", query: "x" }, AbortSignal.abort());
assert.ok(Date.now() - started < 20000);
program("echo", "printf '%s|' \"$@\"");
process.env.PROJECT_MAP_STALE = "ignore";
assert.equal(await text("project-map", { action: "context", query: "x" }), "--quiet|--format|markdown|context|--stale|ignore|");
process.env.PROJECT_MAP_STALE = "never";
await fails(/PROJECT_MAP_STALE is "never"/, "project-map", { action: "context", query: "x" });
delete process.env.PROJECT_MAP_STALE;
process.env.PROJECT_MAP_BIN = join(scratch, "nothing");
await fails(/not installed, or not on PATH/, "context_oracle", { action: "ask", query: "x" });
console.log("all calls went well");
