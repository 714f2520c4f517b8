import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { nav } from './page.ts';

/** Scripts need the charset: without it the bundle is read as Latin-1 and is a syntax error. */
export const ASSETS: readonly [name: string, type: string][] = [
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
];

/** The page of the API reference, `/docs/api`. It has the nav of the other pages, and swagger-ui's own style below it. */
export const REFERENCE = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>API reference</title>
<link rel="icon" href="../favicon.ico" type="image/svg+xml"><link rel="stylesheet" href="swagger-ui.css">
<style>body { margin: 0 }
nav { display: flex; flex-wrap: wrap; gap: 0 1.2rem; max-width: 1420px; margin: 0 auto; padding: .8rem 20px; font: 16px/1.5 system-ui, sans-serif }
nav a { color: #0a58ca } nav form { margin-left: auto }
.swagger-ui .error-example { padding: 0; border: 0; background: none; font: inherit; color: inherit; text-align: left; cursor: pointer }
.swagger-ui .error-example::after { content: ' Show the example'; text-decoration: underline }</style></head>
<body>${nav('../')}<div id="ui"></div>
<script src="swagger-ui-bundle.js"></script><script src="start.js"></script></body></html>`;

/**
 * `validatorUrl: null` keeps swagger-ui from sending the document to an outside service. A plugin folds the examples of
 * errors, of which an operation may have twenty: what "Execute" brings would stand far above them.
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
SwaggerUIBundle({ url: '../openapi.json', dom_id: '#ui', deepLinking: true, filter: true, validatorUrl: null, plugins: [foldErrors] });`;

const assets = new Map<string, Promise<Buffer>>();

/** Reads a file of swagger-ui at its first request and keeps it, because the bundle is large and rarely asked for. */
export async function readAsset(name: string): Promise<Buffer> {
  const path = createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
  const reading = assets.get(name) ?? readFile(path);
  assets.set(name, reading);
  return reading;
}
