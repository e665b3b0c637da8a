"use strict";
// The margin of the desk beside a note in Obsidian. Plain JavaScript, as Obsidian runs it.
//
// The margin is shown in Electron's <webview>, a tab of its own with a jar of cookies of its own,
// not in an <iframe>. The desk lets in whoever has its cookie, which is SameSite=Strict. In a frame
// of `app://obsidian.md` that cookie would never be sent; SameSite=None needs https, and would send
// it along from every other page; a key in the address would have to stay valid, and would stand in
// histories. In a <webview> the desk is the top page: one one-time link lets it in, nothing of the
// desk's door is widened, and its pages have neither Node nor Obsidian at hand.

const { ItemView, MarkdownView, Notice, Platform, Plugin, PluginSettingTab, Setting, debounce } =
  require("obsidian");

const VIEW = "writeros-entities-margin";
const PAUSE = 400; // milliseconds for which the cursor rests before the margin follows it
const START = 60000; // milliseconds within which the desk has to say its link
const DEFAULTS = { program: "writeros-entities", port: 0 };
const ELSEWHERE = "The desk runs on a computer: Obsidian on a phone or tablet cannot start it.";

// The desk of this vault: a process that ends with Obsidian, since its standard input ends then.
class Desk {
  constructor(settings, folder, changed) {
    Object.assign(this, { settings, folder, changed, process: null, waiting: [], said: "" });
  }

  // Returns a link that lets in once; starts the desk if it does not run.
  link() {
    return new Promise((found, failed) => {
      const timer = setTimeout(() => {
        this.waiting = this.waiting.filter((one) => one.found !== found);
        failed(new Error(`The desk does not answer. ${this.said}`));
      }, START);
      this.waiting.push({ found, failed, timer });
      if (this.process) this.process.stdin.write("\n");
      else this.start();
    });
  }

  start() {
    const { spawn } = require("child_process");
    const given = ["--vault", this.folder, "desk", "--json", "--no-browser", "--port"];
    const process = spawn(this.settings.program, [...given, String(this.settings.port)], {
      windowsHide: true,
    });
    this.process = process;
    this.said = "";
    let rest = "";
    process.stdout.setEncoding("utf8").on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      for (const line of lines) this.tell(JSON.parse(line).link);
    });
    process.stderr.setEncoding("utf8").on("data", (text) => {
      this.said = (this.said + text).slice(-1000);
    });
    process.stdin.on("error", () => {}); // it has ended, which `close` tells
    process.on("error", (error) => {
      this.said = error.code === "ENOENT"
        ? `There is no program “${this.settings.program}”. Say in the settings of this plugin where ` +
          "it is: “which writeros-entities” in a terminal tells (on Windows “where”)."
        : error.message;
      this.ended(process);
    });
    process.on("close", () => this.ended(process));
    this.changed();
  }

  tell(link) {
    const one = this.waiting.shift();
    clearTimeout(one?.timer);
    one?.found(link);
  }

  ended(process) {
    if (this.process !== process) return;
    this.process = null;
    const error = new Error(this.said.trim() || "The desk has ended.");
    for (const one of this.waiting.splice(0)) {
      clearTimeout(one.timer);
      one.failed(error);
    }
    this.changed();
  }

  stop() {
    const process = this.process;
    if (!process) return;
    process.stdin.end();
    this.said = "";
    this.ended(process);
  }
}

// Runs in the desk's page: follows an address as a link of the margin does, so that the page stays
// and its parts are swapped. Where the writer has gone to another page, only what she asks for does.
function follow(address, isAsked) {
  if (!isAsked && location.pathname !== "/margin") return;
  const read = new URLSearchParams(location.search).get("as_of");
  const to = new URL(address, location.origin);
  if (read) to.searchParams.set("as_of", read);
  const link = document.createElement("a");
  link.className = "m";
  link.href = to.href;
  document.body.append(link);
  link.click();
  link.remove();
}

class MarginView extends ItemView {
  constructor(leaf, plugin) {
    super(leaf);
    Object.assign(this, { plugin, frame: null, opening: null, isReady: false, next: null });
    this.navigation = false;
  }

  getViewType() {
    return VIEW;
  }

  getDisplayText() {
    return "Who is here";
  }

  getIcon() {
    return "users";
  }

  async onOpen() {
    this.contentEl.addClass("writeros-margin");
    const place = this.plugin.place();
    this.show(place ? marginOf(place) : "/"); // Obsidian need not wait for the desk
  }

  async onClose() {
    this.forget();
  }

  forget() {
    this.frame = null;
    this.isReady = false;
    this.plugin.tell(null);
  }

  say(text) {
    this.forget();
    this.contentEl.empty();
    this.contentEl.createEl("p", { text, cls: "writeros-said" });
  }

  // Shows a page of the desk; one that nobody asked for only in place of another margin.
  async show(address, isAsked = true) {
    if (this.isReady) return void (await this.run(follow, address, isAsked));
    if (!isAsked && !this.frame && !this.opening) return;
    if (isAsked || !this.next || this.next.startsWith("/margin")) this.next = address;
    if (this.frame) return;
    if (!Platform.isDesktopApp) return this.say(ELSEWHERE);
    this.opening ??= this.open().finally(() => (this.opening = null));
    await this.opening;
  }

  async open() {
    this.say("The desk is opening …");
    const link = await this.plugin.desk.link().catch((error) => this.say(error.message));
    const address = this.next;
    this.next = null;
    if (!link) return;
    this.contentEl.empty();
    const { origin } = new URL(link);
    const src = `${link}&to=${encodeURIComponent(address)}`;
    // The partition comes first: it cannot change once there is an address.
    const frame = this.contentEl.createEl("webview", { attr: { partition: VIEW, src } });
    this.frame = frame;
    const isCurrent = (act) => (event) => this.frame === frame && act(event);
    frame.addEventListener("dom-ready", isCurrent(() => {
      this.isReady = true;
      if (this.next) this.show(this.next);
      this.next = null;
      this.count();
    }));
    frame.addEventListener("did-navigate-in-page", isCurrent(() => this.count()));
    // A link of a note into the web belongs into the browser.
    frame.addEventListener("did-navigate", isCurrent(({ url }) => {
      if (new URL(url).origin === origin || url.startsWith("about:")) return;
      frame.goBack();
      window.open(url);
    }));
  }

  async count() {
    this.plugin.tell(await this.run(() => document.querySelectorAll("#cast .line").length));
  }

  // Runs a function of this file in the desk's page, with values that JSON can carry.
  async run(act, ...values) {
    const given = values.map((one) => JSON.stringify(one)).join(", ");
    return this.frame.executeJavaScript(`(${act})(${given})`).catch(() => null);
  }
}

function marginOf({ path, line }) {
  return `/margin?note=${encodeURIComponent(path)}&line=${line}`;
}

// A comment, so that the brief is neither read as the story nor published.
function asComment(brief) {
  return `%%\n${brief.trim().replaceAll("%%", "% %")}\n%%\n`;
}

module.exports = class WriterosPlugin extends Plugin {
  async onload() {
    this.settings = { ...DEFAULTS, ...(await this.loadData()) };
    this.last = null;
    this.folder = Platform.isDesktopApp ? this.app.vault.adapter.getBasePath() : "";
    this.desk = new Desk(this.settings, this.folder, () => this.changed());
    this.registerView(VIEW, (leaf) => new MarginView(leaf, this));
    this.addSettingTab(new DeskSettings(this.app, this));
    this.addRibbonIcon("users", "Who is here", () => this.whoIsHere());
    if (Platform.isDesktopApp) {
      this.state = this.addStatusBarItem();
      this.state.addClass("writeros-state");
      this.state.addEventListener("click", () => this.whoIsHere());
      this.tell(null);
    }

    this.addCommand({ id: "who-is-here", name: "Who is here", callback: () => this.whoIsHere() });
    this.addCommand({
      id: "insert-brief",
      name: "Insert brief for this scene",
      editorCallback: (editor, view) => this.insertBrief(editor, view.file),
    });
    this.addCommand({ id: "open", name: "Open at the desk", callback: () => this.openAtDesk() });
    this.addCommand({
      id: "decide",
      name: "Decide about this name",
      editorCallback: (editor) => this.decide(editor.getSelection()),
    });

    const soon = debounce(() => this.followCursor(), PAUSE, true);
    this.registerEvent(this.app.workspace.on("file-open", soon));
    this.registerEvent(this.app.workspace.on("active-leaf-change", soon));
    this.registerDomEvent(document, "selectionchange", soon);
  }

  onunload() {
    this.desk.stop();
  }

  // Where the writer is, or last was in a note: the pane itself may have the focus.
  place() {
    const view = this.app.workspace.getActiveViewOfType(MarkdownView);
    if (view?.file) this.last = { path: view.file.path, line: view.editor.getCursor().line + 1 };
    return this.last;
  }

  views() {
    return this.app.workspace.getLeavesOfType(VIEW).map((leaf) => leaf.view)
      .filter((view) => view instanceof MarginView); // one that was never looked at is not made yet
  }

  followCursor() {
    const former = this.last && marginOf(this.last);
    const place = this.place();
    if (!place || marginOf(place) === former) return;
    for (const view of this.views()) view.show(marginOf(place), false);
  }

  async pane(address) {
    if (!Platform.isDesktopApp) return void new Notice(ELSEWHERE);
    const { workspace } = this.app;
    let [leaf] = workspace.getLeavesOfType(VIEW);
    if (!leaf) {
      leaf = workspace.getRightLeaf(false);
      await leaf.setViewState({ type: VIEW, active: false });
    }
    await workspace.revealLeaf(leaf);
    await leaf.view.show(address);
  }

  async whoIsHere() {
    const place = this.place();
    await this.pane(place ? marginOf(place) : "/");
  }

  async decide(selected) {
    const name = selected.trim().replace(/\s+/g, " ");
    if (!name) return void new Notice("Select a name first.");
    const place = this.place();
    const back = place ? `&back=${encodeURIComponent(marginOf(place))}` : "";
    await this.pane(`/decide?about=${encodeURIComponent(name)}${back}`);
  }

  async openAtDesk() {
    if (!Platform.isDesktopApp) return void new Notice(ELSEWHERE);
    const place = this.place();
    const to = place ? `/chapter?note=${encodeURIComponent(place.path)}#line-${place.line}` : "/";
    try {
      window.open(`${await this.desk.link()}&to=${encodeURIComponent(to)}`);
    } catch (error) {
      new Notice(error.message);
    }
  }

  async insertBrief(editor, file) {
    if (!Platform.isDesktopApp) return void new Notice(ELSEWHERE);
    const { execFile } = require("child_process");
    const given = ["--vault", this.folder, "--no-pager", "brief-scene", "--", file.path];
    const options = { maxBuffer: 16 * 1024 * 1024, windowsHide: true };
    await new Promise((done) => {
      execFile(this.settings.program, given, options, (error, told, trouble) => {
        if (error) new Notice(trouble.trim() || error.message);
        else editor.replaceSelection(asComment(told));
        done();
      });
    });
  }

  // Says in the status bar how many people are in the margin, if it is open.
  tell(people) {
    const state = this.desk.process ? "Desk: open" : "Desk";
    this.state?.setText(people === null ? state : `${people} here`);
  }

  changed() {
    this.tell(null);
    if (this.desk.process) return;
    for (const view of this.views()) {
      if (view.frame) view.say(`${this.desk.said.trim() || "The desk is closed."}\n\n“Who is here” opens it again.`);
    }
  }
};

class DeskSettings extends PluginSettingTab {
  constructor(app, plugin) {
    super(app, plugin);
    this.plugin = plugin;
  }

  display() {
    const { containerEl, plugin } = this;
    containerEl.empty();
    const keep = async (name, value) => {
      plugin.settings[name] = value;
      await plugin.saveData(plugin.settings);
      plugin.desk.stop(); // the next one starts as it is said now
    };
    new Setting(containerEl)
      .setName("Program")
      .setDesc("The command, or where the program is: “which writeros-entities” in a terminal tells.")
      .addText((text) => text.setValue(plugin.settings.program)
        .onChange((value) => keep("program", value.trim() || DEFAULTS.program)));
    new Setting(containerEl)
      .setName("Port")
      .setDesc("0 takes any free one, so that the desks of two vaults do not meet.")
      .addText((text) => text.setValue(String(plugin.settings.port)).onChange((value) => {
        if (/^\d{1,5}$/.test(value.trim()) && Number(value) < 65536) keep("port", Number(value));
      }));
  }
}
