"use strict";
// The plugin with the real desk, and without Obsidian. Run by `test_plugin.py`, which says where
// the program and the vault are.

const assert = require("node:assert/strict");
const { after, afterEach, beforeEach, test } = require("node:test");
const { MarkdownView, Platform, Setting, Workspace, notices, opened } = require("./stub.js");
const WriterosPlugin = require("../../obsidian/main.js");

const { PLUGIN_PROGRAM: PROGRAM, PLUGIN_VAULT: VAULT } = process.env;
const CHAPTER = "Story/01 The Quay.md";
const MARGIN = "/margin?note=Story%2F01%20The%20Quay.md&line=";

let plugin;
let kept; // a desk that tests have together, since each takes seconds to start

async function load(saved = { program: PROGRAM }) {
  const app = { workspace: new Workspace(), vault: { adapter: { getBasePath: () => VAULT } } };
  plugin = new WriterosPlugin(app, saved);
  await plugin.onload();
  return plugin;
}

async function join() {
  await load();
  kept ??= plugin.desk;
  kept.changed = () => plugin.changed();
  plugin.desk = kept;
}

const isAt = (line, path = CHAPTER) => {
  plugin.app.workspace.active = new MarkdownView(path, line - 1);
};
const command = (id, ...given) =>
  (plugin.commands[id].callback ?? plugin.commands[id].editorCallback)(...given);
const view = () => plugin.app.workspace.leaves[0].view;
const shown = () => view().contentEl.children[0];
const ended = (child) => child.exitCode !== null || child.signalCode !== null
  ? child.exitCode : new Promise((done) => child.on("exit", done));

// As a browser with no cookies would: the page that a link leads to, with the cookie that it gives.
async function come(link) {
  const first = await fetch(link, { redirect: "manual" });
  const to = first.headers.get("location");
  const cookie = first.headers.get("set-cookie")?.split(";")[0];
  if (!to) return { status: first.status };
  const page = await fetch(new URL(to, link), { headers: { cookie } });
  return { status: page.status, to, text: await page.text() };
}

beforeEach(() => {
  Platform.isDesktopApp = true;
  for (const one of [notices, opened, Setting.all]) one.length = 0;
});
afterEach(async () => {
  const child = plugin.desk.process;
  if (plugin.desk === kept) plugin.desk = { stop() {} };
  plugin.onunload();
  if (child && child !== kept?.process) await ended(child);
});
after(async () => {
  const child = kept.process;
  kept.changed = () => {};
  kept.stop();
  await ended(child);
});

test("the pane shows the margin of the note, at the line of the cursor", async () => {
  await join();
  isAt(3);
  await command("who-is-here");
  assert.equal(shown().tag, "webview");
  assert.deepEqual(shown().attributes[0], ["partition", "writeros-entities-margin"]);
  const found = await come(shown().src);
  assert.equal(found.status, 200);
  assert.equal(found.to, `${MARGIN}3`);
  assert.match(found.text, /id="cast"[^]*Oda Finch/);
  assert.equal((await come(shown().src)).status, 403); // the link has let in once
});

test("the margin follows the cursor, and the page says how many are here", async () => {
  await join();
  isAt(3);
  await command("who-is-here");
  const frame = shown();
  frame.answers = () => 3;
  isAt(5);
  plugin.events.selectionchange(); // before there is a page
  assert.deepEqual(frame.ran, []);
  await frame.happen("dom-ready");
  await new Promise(setImmediate);
  assert.match(frame.ran[0], new RegExp(`"${MARGIN.replace("?", "\\?")}5", true\\)$`));
  assert.equal(plugin.bar.text, "3 here");
  const before = frame.ran.length;
  plugin.events.selectionchange(); // the cursor stays on its line
  assert.equal(frame.ran.length, before);
  isAt(1, "Plan.md");
  plugin.app.workspace.listeners["file-open"]();
  assert.match(frame.ran.at(-1), /"\/margin\?note=Plan.md&line=1", false\)$/);
});

test("where the pane has the focus, the note before it counts", async () => {
  await join();
  isAt(3);
  plugin.events.selectionchange();
  plugin.app.workspace.active = null;
  await command("who-is-here");
  assert.equal((await come(shown().src)).to, `${MARGIN}3`);
});

test("what follows the cursor leaves another page alone, and keeps how far is read", async () => {
  await join();
  isAt(3);
  await command("who-is-here");
  await shown().happen("dom-ready");
  await view().show("/margin?note=a", false);
  const script = shown().ran.at(-1);
  const visit = (pathname, search) => {
    const went = [];
    const link = { click: () => went.push(link.href), remove: () => {} };
    const document = { createElement: () => link, body: { append: () => {} } };
    new Function("location", "document", script)(
      { pathname, search, origin: "http://127.0.0.1" }, document);
    return went;
  };
  assert.deepEqual(visit("/margin", "?note=b&as_of=2"), ["http://127.0.0.1/margin?note=a&as_of=2"]);
  assert.deepEqual(visit("/entity", "?id=1"), []);
});

test("a selected name is decided about in the pane", async () => {
  await join();
  isAt(3);
  await command("decide", { getSelection: () => " Willow \n Brandt " });
  const found = await come(shown().src);
  assert.equal(found.status, 200);
  assert.match(found.text, /What is “<span dir="auto">Willow Brandt<\/span>”/);
  assert.match(found.text, /Willow\+Brandt\+is\+a\+person/);
  await command("decide", { getSelection: () => " " });
  assert.deepEqual(notices, ["Select a name first."]);
});

test("the desk opens in the browser at the place, by a link of its own", async () => {
  await join();
  isAt(3);
  await command("who-is-here");
  await command("open");
  assert.notEqual(opened[0].split("&to=")[0], shown().src.split("&to=")[0]);
  const found = await come(opened[0]);
  assert.equal(found.status, 200);
  assert.equal(found.to, "/chapter?note=Story%2F01%20The%20Quay.md#line-3");
});

test("the brief is put at the cursor, as a comment", async () => {
  await join();
  const put = [];
  await command("insert-brief", { replaceSelection: (text) => put.push(text) }, { file: { path: CHAPTER } });
  assert.equal(put.length, 1, notices.join());
  assert.match(put[0], /^%%\n[^]*Oda Finch[^]*\n%%\n$/);
  assert.equal(put[0].split("%%").length, 3);
  await command("insert-brief", { replaceSelection: (text) => put.push(text) }, { file: { path: "No.md" } });
  assert.match(notices[0], /No\.md/);
  assert.equal(put.length, 1);
});

test("a link into the web is opened by the browser, and the pane goes back", async () => {
  await join();
  await command("who-is-here");
  const frame = shown();
  frame.happen("did-navigate", { url: frame.src });
  assert.deepEqual([frame.back, opened], [0, []]);
  frame.happen("did-navigate", { url: "https://novel.example/a" });
  assert.deepEqual([frame.back, opened], [1, ["https://novel.example/a"]]);
});

test("the desk ends with the plugin, and what it is told starts it again", async () => {
  await load();
  await command("who-is-here");
  const first = plugin.desk.process;
  const former = new URL(shown().src).origin;
  plugin.desk.stop();
  assert.equal(await ended(first), 0);
  await assert.rejects(fetch(former));
  assert.match(shown().text, /“Who is here” opens it again/);
  await command("who-is-here");
  assert.equal((await come(shown().src)).status, 200);
});

test("a desk that is killed says so in the pane", async () => {
  await load();
  await command("who-is-here");
  const child = plugin.desk.process;
  child.kill("SIGKILL");
  await new Promise((done) => child.on("close", done));
  assert.match(shown().text, /The desk is closed/);
  assert.equal(plugin.bar.text, "Desk");
});

test("a program that is not there is said where one looks, and set in the settings", async () => {
  await load({ program: "/nowhere/writeros" });
  await command("who-is-here");
  assert.match(shown().text, /no program “\/nowhere\/writeros”[^]*settings/);
  plugin.tab.display();
  const [program, port] = Setting.all;
  await program.change(` ${PROGRAM} `);
  for (const bad of ["-1", "70000", "many", ""]) await port.change(bad);
  assert.deepEqual(plugin.saved, { program: PROGRAM, port: 0 });
  await command("who-is-here");
  assert.equal(shown().tag, "webview");
});

test("a port that is taken is said", async () => {
  const taken = require("node:net").createServer();
  await new Promise((done) => taken.listen(0, "127.0.0.1", done));
  const { port } = taken.address();
  await load({ program: PROGRAM, port });
  await command("who-is-here");
  assert.match(shown().text, new RegExp(`Port ${port} .*in use`));
  taken.close();
});

test("on a phone nothing is started, and it is said why", async () => {
  Platform.isDesktopApp = false;
  await load();
  await command("who-is-here");
  await command("open");
  await command("decide", { getSelection: () => "Oda" });
  await command("insert-brief", {}, { file: { path: CHAPTER } });
  assert.equal(notices.length, 4);
  assert.match(notices[0], /runs on a computer/);
  assert.equal(plugin.desk.process, null);
  const leaf = plugin.app.workspace.getRightLeaf(); // a pane that was open on a computer
  await leaf.setViewState({ type: "writeros-entities-margin" });
  assert.match(shown().text, /runs on a computer/);
});
