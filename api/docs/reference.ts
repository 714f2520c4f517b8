import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { nav } from './page.ts';

/** Scripts need the charset: without it the bundle is read as Latin-1 and is a syntax error. */
export const ASSETS: readonly [name: string, type: string][] = [
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
];

/**
 * The style of the reference: the colours of the guides over those of swagger-ui, which have too little contrast. In the
 * dark, the reader is inverted as a whole, so that its parts keep their contrast.
 */
const REFERENCE_STYLE = `body { margin: 0; color: #1b1f24; background: #fff }
nav { display: flex; flex-wrap: wrap; gap: 0 1.2rem; align-items: center; max-width: 1420px; margin: 0 auto; padding: .8rem 20px; border-bottom: 1px solid #d8dee4; font: 16px/1.5 system-ui, sans-serif }
nav a { color: #0a58ca }
nav form { margin-left: auto }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .btn { font-family: system-ui, sans-serif; color: #1b1f24 }
.swagger-ui .info a, .swagger-ui .markdown a, .swagger-ui .renderedMarkdown a { color: #0a58ca }
.swagger-ui .btn.execute { border-color: #0b6e4f; color: #fff; background: #0b6e4f }
.swagger-ui .btn.authorize { border-color: #0b6e4f; color: #0b6e4f }
.swagger-ui .btn.authorize svg { fill: #0b6e4f }
.swagger-ui .opblock .opblock-summary-description, .swagger-ui .opblock-tag small, .swagger-ui .response-col_links { color: #3d444d }
.swagger-ui .parameter__type, .swagger-ui .prop-format, .swagger-ui .parameter__in { color: #4a525b }
.swagger-ui .info .title small { background: #57606a }
.swagger-ui .info .title small.version-stamp, .swagger-ui .opblock.opblock-post .opblock-summary-method { background: #0b6e4f }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #0a58ca }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #8a5300 }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0b6a74 }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b3261e }
.swagger-ui .opblock.opblock-deprecated { opacity: 1 }
.swagger-ui .opblock.opblock-deprecated .opblock-summary-method { background: #57606a }
.swagger-ui .example-choice { display: block }
h1 { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%) }
.swagger-ui .error-example { padding: 0; border: 0; background: none; font: inherit; color: inherit; text-align: left; cursor: pointer }
.swagger-ui .error-example::after { content: ' Show the example'; text-decoration: underline }
.swagger-ui .opblock-tag > span { min-width: 0; overflow-wrap: anywhere }
:focus-visible { outline: 3px solid #0a58ca; outline-offset: 2px }
@media (max-width: 40rem) {
  .swagger-ui .opblock-tag { font-size: 18px }
  .swagger-ui .response-col_links { display: none }
}
@media (prefers-color-scheme: dark) {
  body { color: #e6e9ec; background: #14171a }
  nav { border-color: #343a41 }
  nav a { color: #7db3ff }
  nav input { color: inherit; background: #21262c; border: 1px solid #4a525b }
  main { background: #fff; filter: invert(.91) hue-rotate(180deg) }
  main .microlight, main img { filter: invert(1) hue-rotate(180deg) }
}`;

/** The page of the API reference, `/docs/api`. It has the nav of the other pages, and swagger-ui below it. */
export const REFERENCE = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>API reference</title>
<link rel="icon" href="../favicon.ico" type="image/svg+xml"><link rel="stylesheet" href="swagger-ui.css">
<style>${REFERENCE_STYLE}</style></head>
<body>${nav('../')}<main><h1>API reference</h1><div id="ui"></div></main>
<script src="swagger-ui-bundle.js"></script><script src="start.js"></script></body></html>`;

/**
 * `validatorUrl: null` keeps swagger-ui from sending the document to an outside service. A plugin folds the examples of
 * errors. An operation may have twenty, which would hide the response of "Execute". Another lets screen readers use the
 * page: it names the choice of an example, removes links from inside buttons, and hides the choice of the only server.
 * The Tab key reaches each code block, because long ones scroll. Operations show their schemas, so no list follows them.
 */
export const REFERENCE_START = `const foldErrors = (system) => ({
  wrapComponents: {
    response: (Response) => (props) => {
      const { createElement, useState } = system.React;
      const [isOpen, open] = useState(false);
      if (isOpen || String(props.code).startsWith('2')) return createElement(Response, props);
      const words = props.response.get('description').split('\x60')
        .map((part, index) => (index % 2 === 1 ? createElement('code', { key: index }, part) : part));
      const show = { type: 'button', className: 'error-example', onClick: () => open(true) };
      return createElement('tr', { className: 'response', 'data-code': props.code },
        createElement('td', { className: 'response-col_status' }, props.code),
        createElement('td', { className: 'response-col_description' },
          createElement('button', show, words)),
        createElement('td', { className: 'response-col_links' }));
    },
  },
});
const forReaders = ({ React: { createElement } }) => ({
  wrapComponents: {
    ExamplesSelect: (Select) => (props) =>
      createElement('label', { className: 'example-choice' }, props.showLabels === false ? 'Example' : null,
        createElement(Select, props)),
    DeepLink: () => ({ text }) => createElement('span', null, text),
    ServersContainer: () => () => null,
  },
});
new MutationObserver(() => {
  for (const block of document.querySelectorAll('pre.microlight:not([tabindex])')) block.tabIndex = 0;
}).observe(document.getElementById('ui'), { childList: true, subtree: true });
SwaggerUIBundle({
  url: 'reference.json', dom_id: '#ui', deepLinking: true, filter: true, validatorUrl: null,
  defaultModelsExpandDepth: -1, plugins: [foldErrors, forReaders],
});`;

/** Reads a file of swagger-ui. */
export function readAsset(name: string): Promise<Buffer> {
  return readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));
}
