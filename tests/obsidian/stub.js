"use strict";
// As much of Obsidian's API as the plugin asks for, without Obsidian; what it shows is remembered.

const Module = require("node:module");

const notices = [];
const opened = [];

class Element {
  constructor(tag, options = {}) {
    this.tag = tag;
    this.text = options.text ?? "";
    this.attributes = Object.entries(options.attr ?? {});
    this.children = [];
    this.classes = [];
    this.listeners = {};
    this.ran = [];
    this.back = 0;
  }
  get src() { return Object.fromEntries(this.attributes).src; }
  addClass(name) { this.classes.push(name); }
  setText(text) { this.text = text; }
  empty() { this.children = []; }
  createEl(tag, options) {
    const made = new Element(tag, options);
    this.children.push(made);
    return made;
  }
  addEventListener(name, act) { this.listeners[name] = act; }
  happen(name, event = {}) { return this.listeners[name]?.(event); }
  // Of a <webview>: what runs in the page is remembered, and answered by the test.
  async executeJavaScript(script) {
    this.ran.push(script);
    return this.answers ? this.answers(script) : null;
  }
  goBack() { this.back += 1; }
}

class View {
  constructor(leaf) {
    this.leaf = leaf;
    this.contentEl = new Element("div");
  }
}
class ItemView extends View {}
class MarkdownView {
  constructor(path, line) {
    this.file = { path };
    this.editor = { getCursor: () => ({ line, ch: 0 }) };
  }
}

class Leaf {
  constructor(workspace) { Object.assign(this, { workspace, view: null, type: "" }); }
  async setViewState({ type }) {
    this.type = type;
    this.view = this.workspace.made[type](this);
    await this.view.onOpen();
  }
}

class Workspace {
  constructor() { Object.assign(this, { made: {}, leaves: [], active: null, listeners: {} }); }
  getActiveViewOfType(type) { return this.active instanceof type ? this.active : null; }
  getLeavesOfType(type) { return this.leaves.filter((one) => one.type === type); }
  getRightLeaf() {
    const leaf = new Leaf(this);
    this.leaves.push(leaf);
    return leaf;
  }
  async revealLeaf() {}
  on(name, act) { this.listeners[name] = act; return name; }
}

class Plugin {
  constructor(app, saved = null) { Object.assign(this, { app, saved, commands: {}, events: {} }); }
  async loadData() { return this.saved; }
  async saveData(data) { this.saved = JSON.parse(JSON.stringify(data)); }
  registerView(type, make) { this.app.workspace.made[type] = make; }
  addSettingTab(tab) { this.tab = tab; }
  addRibbonIcon() {}
  addStatusBarItem() { return (this.bar = new Element("div")); }
  addCommand(command) { this.commands[command.id] = command; }
  registerEvent() {}
  registerDomEvent(_, name, act) { this.events[name] = act; }
}

class PluginSettingTab {
  constructor(app) { Object.assign(this, { app, containerEl: new Element("div") }); }
}
class Setting {
  constructor(parent) { Setting.all.push(this); this.parent = parent; }
  setName(name) { this.name = name; return this; }
  setDesc() { return this; }
  addText(build) {
    const text = { setValue: (value) => { this.value = value; return text; },
                   onChange: (act) => { this.change = act; return text; } };
    build(text);
    return this;
  }
}
Setting.all = [];

class Notice {
  constructor(text) { notices.push(text); }
}

const Platform = { isDesktopApp: true };
const obsidian = {
  ItemView, MarkdownView, Notice, Platform, Plugin, PluginSettingTab, Setting,
  debounce: (act) => act, // at once: no test waits for a clock
};

const load = Module._load;
Module._load = (name, ...rest) => (name === "obsidian" ? obsidian : load(name, ...rest));
globalThis.document = {};
globalThis.window = { open: (address) => opened.push(address) };

module.exports = { MarkdownView, Platform, Setting, Workspace, notices, opened };
