// A report page in headless Chromium: two widths, light and dark.
//
//     node shoot_report.mjs PAGE PICTURES NAME [FRAGMENT] [WIDTH-THEME ...]
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [page, pictures, name, fragment = "", ...only] = process.argv.slice(2);
const require = createRequire(pathToFileURL(join(process.cwd(), "package.json")));
const puppeteer = (await import(pathToFileURL(require.resolve("puppeteer-core")))).default;

mkdirSync(pictures, { recursive: true });
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--force-color-profile=srgb",
  ],
});
try {
  for (const variant of only.length ? only : ["1280-light", "1280-dark", "360-light", "360-dark"]) {
    const [width, theme] = variant.split("-");
    const tab = await browser.newPage();
    await tab.setViewport({ width: Number(width), height: 900, deviceScaleFactor: 1 });
    await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
    await tab.goto(pathToFileURL(resolve(page)).href + fragment);
    await tab.waitForSelector("html[data-ready]");
    await new Promise((done) => setTimeout(done, 300));
    await tab.screenshot({ path: join(pictures, `${name}-${variant}.png`), fullPage: true });
    await tab.close();
  }
} finally {
  await browser.close();
}
