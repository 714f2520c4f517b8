/** Allows only files of the engine; nothing inline. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; " +
  "frame-ancestors 'none'";

/** A page for people, without scripts. `toRoot` leads from its address to the engine's: `../` from `/docs/words`. */
export interface Page {
  title: string;
  toRoot: string;
  /** HTML. */
  body: string;
  /** The search text for the search box. */
  query?: string;
  /** A script of the engine's own, by its address from the root. */
  script?: string;
}

/** The links and the search box at the top of each page. */
export function nav(toRoot: string, query = ''): string {
  return `<nav><a href="${toRoot}docs">Guides</a> <a href="${toRoot}docs/api">API reference</a>
<a href="${toRoot}docs/errors">Errors</a> <a href="${toRoot}docs/words">Words</a>
<form action="${toRoot}docs/search"><input type="search" name="q" value="${escaped(query)}" aria-label="Search the guides"
 placeholder="Search the guides" maxlength="200" required></form></nav>`;
}

export function page({ title, toRoot, body, query = '', script }: Page): string {
  const scriptTag = script === undefined ? '' : `<script src="${toRoot}${script}"></script>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><link rel="icon" href="${toRoot}favicon.ico" type="image/svg+xml">
<link rel="stylesheet" href="${toRoot}docs/style.css">${scriptTag}</head>
<body>${nav(toRoot, query)}
<main>${body}</main></body></html>
`;
}

/** Makes text of text, whatever it holds. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Long addresses break where they stand in a text; tables keep their words whole and scroll. */
export const STYLE = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 0 auto 4rem; padding: 0 1rem; color: #1b1f24; background: #fff; overflow-wrap: break-word }
nav { display: flex; flex-wrap: wrap; gap: 0 1.2rem; align-items: center; padding: .8rem 0; border-bottom: 1px solid #d8dee4 }
nav form { margin-left: auto }
h1, h2, h3 { line-height: 1.25; margin-top: 2rem }
h1 code { font-size: inherit }
details { margin: 1rem 0 }
a { color: #0a58ca }
img { max-width: min(100%, 24rem); border: 1px solid #d8dee4; border-radius: 5px }
code { font: 14px/1.45 ui-monospace, monospace; background: #f2f4f6; padding: .1rem .25rem; border-radius: 3px }
pre { background: #f2f4f6; padding: .8rem 1rem; overflow-x: auto; border-radius: 5px }
pre code { padding: 0; background: none }
table { display: block; overflow-x: auto; border-collapse: collapse }
td, th { text-align: left; vertical-align: top; padding: .35rem .9rem .35rem 0; border-bottom: 1px solid #e4e8ec }
td:first-child, th:first-child { white-space: nowrap }
@media (prefers-color-scheme: dark) {
  body { color: #e6e9ec; background: #14171a } a { color: #7db3ff } code, pre { background: #21262c }
  nav, td, th { border-color: #343a41 } input { color: inherit; background: #21262c; border: 1px solid #4a525b }
}
`;
