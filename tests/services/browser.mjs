// Looks at a report page in headless Chromium and prints what it saw, as JSON. It asserts nothing.
//
//     node browser.mjs LOOK PAGE [IDS]     in a folder with puppeteer-core and axe-core
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [look, path, ids] = process.argv.slice(2);
const require = createRequire(pathToFileURL(join(process.cwd(), "package.json")));
const puppeteer = (await import(pathToFileURL(require.resolve("puppeteer-core")))).default;
const address = pathToFileURL(resolve(path)).href;
const cases = ids ? JSON.parse(readFileSync(ids, "utf8")) : [];
const isFirefox = Boolean(process.env.FIREFOX);
const browser = await puppeteer.launch(isFirefox ? { browser: "firefox", executablePath: process.env.FIREFOX } : {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  protocolTimeout: 120_000,
  args: [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--force-color-profile=srgb",
  ],
});

// What a page did that it must not: requests, violations of its policy, errors, dialogs.
const seen = { requests: [], violations: [], errors: [], dialogs: [] };
async function opened(fragment = "", { width = 1280, theme = "light", script = true, free = false } = {}) {
  const tab = await browser.newPage();
  await tab.setViewport({ width, height: 900 });
  if (!isFirefox) await tab.setJavaScriptEnabled(script);
  if (free) await tab.setBypassCSP(true);
  // Firefox is not driven by Chromium's protocol, and has no such switch.
  if (!isFirefox) await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  tab.on("request", (request) => request.url().startsWith("data:") || request.url().split("#")[0] === address || seen.requests.push(request.url()));
  tab.on("pageerror", (error) => seen.errors.push(String(error)));
  tab.on("console", (said) => ["error", "warn"].includes(said.type()) && seen.errors.push(said.text()));
  tab.on("dialog", (dialog) => (seen.dialogs.push(dialog.message()), dialog.dismiss()));
  await tab.exposeFunction("tellViolation", (what) => seen.violations.push(what)).catch(() => {});
  await tab.evaluateOnNewDocument(() => addEventListener("securitypolicyviolation", (event) => window.tellViolation(`${event.violatedDirective} ${event.blockedURI}`)));
  await tab.goto(address + fragment);
  if (script) await tab.waitForSelector("html[data-ready]");
  return tab;
}
const settled = () => new Promise((done) => setTimeout(done, 60));
const hash = (id) => `#case=${encodeURIComponent(id)}`;
const text = (tab, selector) => tab.$eval(selector, (node) => node.innerText);
const width = (tab) => tab.evaluate(() => document.documentElement.scrollWidth);

async function hostile() {
  const tab = await opened();
  const found = { rows: await tab.$$eval(".row", (rows) => rows.length), cases: [] };
  for (const id of cases) {
    await tab.evaluate((to) => { location.hash = to; }, hash(id));
    await tab.waitForFunction((wanted) => document.querySelector("#case-title") && new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B")).get("case") === wanted, {}, id);
    await settled();
    found.cases.push(await tab.evaluate(() => ({
      id: document.querySelector(".case-head .id bdi").textContent,
      mark: document.querySelector("#chunks mark")?.textContent ?? "",
      claim: document.querySelector(".claim-text.chosen")?.textContent ?? "",
      changes: document.querySelectorAll("#changes ins, #changes del").length,
      signs: document.querySelectorAll("article .sign").length,
      cut: document.querySelector(".cut")?.textContent ?? "",
      strangers: document.querySelectorAll("article script, article img, article iframe, article svg, article style, article object").length,
      links: [...document.querySelectorAll("main a")].map((link) => link.getAttribute("href")).filter((to) => to && !to.startsWith("#")),
    })));
  }
  await tab.evaluate(() => { location.hash = "#case=nobody"; });
  await settled();
  found.unknown = await text(tab, "#app");
  const deep = await opened(hash(cases[3]) + "&s=failed");
  found.deep = await deep.$eval("#case-title", (node) => node.innerText.length > 0);
  found.inFilter = await text(deep, ".case-bar .place");
  const still = await opened("", { script: false });
  found.withoutScript = await still.evaluate(() => {
    for (const each of document.querySelectorAll("details")) each.open = true;
    return document.body.innerText;
  });
  return found;
}

async function keyboard() {
  const tab = await opened();
  const found = {};
  const at = () => tab.evaluate(() => location.hash);
  const row = () => tab.evaluate(() => document.activeElement.hash?.slice(1) || document.activeElement.id);
  await tab.keyboard.press("j");
  await tab.keyboard.press("j");
  await tab.keyboard.press("k");
  found.row = await row();
  await tab.keyboard.press("j");
  await tab.keyboard.press("Enter");
  await tab.waitForSelector("#case-title");
  found.opened = await at();
  await tab.keyboard.press("j");
  await settled();
  found.next = await at();
  await tab.keyboard.press("Escape");
  await settled();
  found.back = await at();
  found.rowAgain = await row();
  await tab.keyboard.press("/");
  found.field = await row();
  await tab.keyboard.type("faithfulness 90 ");
  await settled();
  found.filtered = { hash: await at(), status: await text(tab, ".status") };
  await tab.keyboard.press("Escape");
  await tab.click('#states [data-s="failed"]');
  await settled();
  found.chosen = { hash: await at(), status: await text(tab, ".status") };
  await tab.keyboard.press("j");
  await tab.keyboard.press("Enter");
  await tab.waitForSelector("#case-title");
  await tab.goBack();
  await settled();
  found.history = { hash: await at(), query: await tab.$eval("#query", (node) => node.value) };
  await tab.goForward();
  await tab.waitForSelector("#case-title");
  found.forward = await at();
  return found;
}

async function axe() {
  const source = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
  const found = [];
  for (const size of [1280, 360])
    for (const theme of ["light", "dark"])
      for (const fragment of ["", "#view=run", ...cases.map(hash)]) {
        const tab = await opened(fragment, { width: size, theme, free: true });
        await settled();
        await tab.evaluate(() => document.querySelectorAll("details").forEach((each) => { each.open = true; }));
        await tab.evaluate(source);
        const { violations } = await tab.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
        const told = violations.map((each) => `${each.id}: ${each.nodes.slice(0, 3).map((node) => `${node.target.join(" ")} ${node.any[0]?.message ?? ""}`).join(" | ")}`);
        found.push({ view: `${size} ${theme} ${fragment.slice(0, 40)}`, violations: told, width: await width(tab), size });
        await tab.close();
      }
  return found;
}

// Times at a processor four times slower.
async function speed() {
  const tab = await browser.newPage();
  await tab.setViewport({ width: 1280, height: 900 });
  const session = await tab.createCDPSession();
  await session.send("Emulation.setCPUThrottlingRate", { rate: Number(process.env.SLOWER ?? 4) });
  await tab.evaluateOnNewDocument(() => {
    new MutationObserver(() => document.documentElement?.dataset.ready && (window.readyAt ??= performance.now())).observe(document, { attributes: true, subtree: true });
  });
  await tab.goto(address);
  await tab.waitForSelector("html[data-ready]");
  const ready = await tab.evaluate(() => window.readyAt);
  const cases = await tab.evaluate(async () => {
    const times = [];
    for (const place of [0, 7, 12, 40, 77]) {
      const row = document.querySelectorAll("#rows > .row")[place];
      const to = row.getAttribute("href");
      const began = performance.now();
      location.hash = to;
      await new Promise((done) => {
        const look = () => (document.querySelector("#chunks .chunk") && document.querySelector("#answer")?.textContent ? requestAnimationFrame(() => done()) : setTimeout(look, 1));
        look();
      });
      times.push(performance.now() - began);
      location.hash = "#";
      await new Promise((done) => setTimeout(done, 300));
    }
    return times;
  });
  const filter = await tab.evaluate(async () => {
    const input = document.querySelector("#query");
    const times = [];
    for (const query of ["failed", "failed faith", "warranty", "case-0001", ""]) {
      input.value = query;
      const began = performance.now();
      input.dispatchEvent(new Event("input"));
      times.push(performance.now() - began);
      await new Promise((done) => setTimeout(done, 200));
    }
    return times;
  });
  const found = await tab.evaluate(() => performance.getEntriesByName("filter").map((each) => each.duration));
  const heap = (await tab.metrics()).JSHeapUsedSize;
  return { ready, cases, found, drawn: filter, heap };
}

try {
  const found = await { hostile, keyboard, axe, speed }[look]();
  process.stdout.write(JSON.stringify({ seen, found }));
} finally {
  await browser.close();
}
