// Pages of Markdown as GitHub lays a comment out, in headless Chromium: two widths, light and dark.
//
//     node shoot.mjs PAGES PICTURES [WIDTH-THEME ...]
//
// Alerts have the markup that GitHub publishes; everything else is GitHub's own style sheet on GitHub-flavoured Markdown.
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [pages, pictures, ...only] = process.argv.slice(2);
const require = createRequire(pathToFileURL(join(process.cwd(), "package.json")));
const { marked } = await import(pathToFileURL(require.resolve("marked")));
const puppeteer = (await import(pathToFileURL(require.resolve("puppeteer-core")))).default;
const style = (theme) => readFileSync(require.resolve(`github-markdown-css/github-markdown-${theme}.css`), "utf8");

const ICONS = {
  TIP: "M8 1.5c-2.363 0-4 1.69-4 3.75 0 .984.424 1.625.984 2.304l.214.253c.223.264.47.556.673.848.284.411.537.896.621 1.49a.75.75 0 0 1-1.484.211c-.04-.282-.163-.547-.37-.847a8.456 8.456 0 0 0-.542-.68c-.084-.1-.173-.205-.268-.32C3.201 7.75 2.5 6.766 2.5 5.25 2.5 2.31 4.863 0 8 0s5.5 2.31 5.5 5.25c0 1.516-.701 2.5-1.328 3.259-.095.115-.184.22-.268.319-.207.245-.383.453-.541.681-.208.3-.33.565-.37.847a.751.751 0 0 1-1.485-.212c.084-.593.337-1.078.621-1.489.203-.292.45-.584.673-.848.075-.088.147-.173.213-.253.561-.679.985-1.32.985-2.304 0-2.06-1.637-3.75-4-3.75ZM5.75 12h4.5a.75.75 0 0 1 0 1.5h-4.5a.75.75 0 0 1 0-1.5ZM6 15.25a.75.75 0 0 1 .75-.75h2.5a.75.75 0 0 1 0 1.5h-2.5a.75.75 0 0 1-.75-.75Z",
  WARNING: "M6.457 1.047c.659-1.234 2.427-1.234 3.086 0l6.082 11.378A1.75 1.75 0 0 1 14.082 15H1.918a1.75 1.75 0 0 1-1.543-2.575Zm1.763.707a.25.25 0 0 0-.44 0L1.698 13.132a.25.25 0 0 0 .22.368h12.164a.25.25 0 0 0 .22-.368Zm.53 3.996v2.5a.75.75 0 0 1-1.5 0v-2.5a.75.75 0 0 1 1.5 0ZM9 11a1 1 0 1 1-2 0 1 1 0 0 1 2 0Z",
  CAUTION: "M4.47.22A.749.749 0 0 1 5 0h6c.199 0 .389.079.53.22l4.25 4.25c.141.14.22.331.22.53v6a.749.749 0 0 1-.22.53l-4.25 4.25A.749.749 0 0 1 11 16H5a.749.749 0 0 1-.53-.22L.22 11.53A.749.749 0 0 1 0 11V5c0-.199.079-.389.22-.53Zm.84 1.28L1.5 5.31v5.38l3.81 3.81h5.38l3.81-3.81V5.31L10.69 1.5ZM8 4a.75.75 0 0 1 .75.75v3.5a.75.75 0 0 1-1.5 0v-3.5A.75.75 0 0 1 8 4Zm0 8a1 1 0 1 1 0-2 1 1 0 0 1 0 2Z",
};

// `> [!CAUTION]` and what is quoted below it, as GitHub writes an alert.
const html = (text) =>
  marked.parse(text, { gfm: true }).replace(
    /<blockquote>\s*<p>\[!(TIP|WARNING|CAUTION)\]\s*([\s\S]*?)<\/blockquote>/g,
    (_all, kind, inside) => {
      const name = kind[0] + kind.slice(1).toLowerCase();
      const icon = `<svg class="octicon mr-2" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="${ICONS[kind]}"></path></svg>`;
      return `<div class="markdown-alert markdown-alert-${kind.toLowerCase()}"><p class="markdown-alert-title">${icon}${name}</p><p>${inside}</div>`;
    },
  );

const COLOURS = {
  light: { page: "#ffffff", head: "#f6f8fa", line: "#d1d9e0", muted: "#59636e", text: "#1f2328" },
  dark: { page: "#0d1117", head: "#151b23", line: "#3d444d", muted: "#9198a1", text: "#f0f6fc" },
};

// A comment in its frame, as a pull request shows it; several in a row where a file has several.
const document = (texts, theme) => {
  const colour = COLOURS[theme];
  const comments = texts.map(
    (text) => `<div class="comment"><div class="head"><b>github-actions</b> <span>bot</span> commented</div>
      <div class="markdown-body">${html(text)}</div></div>`,
  );
  return `<!doctype html><meta charset="utf-8"><style>${style(theme)}
    body { margin: 0; padding: 12px; background: ${colour.page}; }
    .comment { border: 1px solid ${colour.line}; border-radius: 6px; overflow: hidden; margin-bottom: 16px; }
    .head { background: ${colour.head}; color: ${colour.muted}; border-bottom: 1px solid ${colour.line}; padding: 8px 16px;
      font: 14px -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
    .head b { color: ${colour.text}; } .head span { border: 1px solid ${colour.line}; border-radius: 9px; padding: 0 6px; font-size: 12px; }
    .markdown-body { padding: 16px; font-size: 14px; }
    </style>${comments.join("")}`;
};

const wanted = only.length ? only : ["780-light", "780-dark", "380-light", "380-dark"];
mkdirSync(pictures, { recursive: true });
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage", "--force-color-profile=srgb"],
});
try {
  for (const file of readdirSync(pages).filter((name) => name.endsWith(".md")).sort()) {
    const texts = readFileSync(join(pages, file), "utf8").split("\n\f\n");
    for (const variant of wanted) {
      const [width, theme] = variant.split("-");
      const page = await browser.newPage();
      await page.setViewport({ width: Number(width), height: 200, deviceScaleFactor: 1 });
      await page.setContent(document(texts, theme));
      await page.screenshot({ path: join(pictures, `${file.slice(0, -3)}-${variant}.png`), fullPage: true });
      await page.close();
    }
  }
} finally {
  await browser.close();
}
