import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** Scripts need the charset: without it the bundle is read as Latin-1 and is a syntax error. */
export const ASSETS: readonly [name: string, type: string][] = [
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
];

/** The page of the API reference, `/docs/api`. */
export const REFERENCE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>API reference</title>
<link rel="stylesheet" href="swagger-ui.css">
<nav><a href="../docs">Guides</a> <a href="errors">Errors</a> <a href="words">Words</a></nav><div id="ui"></div>
<script src="swagger-ui-bundle.js"></script><script src="start.js"></script></html>`;

/** `validatorUrl: null` keeps swagger-ui from sending the document to an outside service. */
export const REFERENCE_START = `SwaggerUIBundle({ url: '../openapi.json', dom_id: '#ui', deepLinking: true, validatorUrl: null });`;

const assets = new Map<string, Promise<Buffer>>();

/** Reads a file of swagger-ui at its first request and keeps it, because the bundle is large and rarely asked for. */
export async function readAsset(name: string): Promise<Buffer> {
  const path = createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
  const reading = assets.get(name) ?? readFile(path);
  assets.set(name, reading);
  return reading;
}
