import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type Router from '@koa/router';
import { isErrorCode, notFound } from '../domain/error.ts';
import { errorListPage, errorPage } from './wire/error-pages.ts';
import { createOpenApiDocument } from './openapi.ts';
import type { RequestState } from './wire/request-state.ts';
import type { Route } from './route/route.ts';

/** Scripts need the charset: without it the bundle is read as Latin-1 and is a syntax error. */
const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
} as const;

/**
 * Allows only files of the engine, and two exceptions for swagger-ui, which sets inline styles and draws its icons from
 * data URLs.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Messaging automation engine</title>
<link rel="stylesheet" href="docs/swagger-ui.css"><div id="ui"></div>
<script src="docs/swagger-ui-bundle.js"></script><script src="docs/start.js"></script></html>`;

/** `validatorUrl: null` keeps swagger-ui from sending the document to an outside service. */
const START = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#ui', deepLinking: true, validatorUrl: null });`;

export function mountDocs<Deps>(router: Router<RequestState>, routes: readonly Route<Deps>[]): void {
  const document = JSON.stringify(createOpenApiDocument(routes));
  serve(router, '/openapi.json', 'application/json; charset=utf-8', document);
  serve(router, '/docs', 'text/html; charset=utf-8', PAGE);
  serve(router, '/docs/start.js', 'text/javascript; charset=utf-8', START);
  serve(router, '/docs/errors', 'text/html; charset=utf-8', errorListPage());
  for (const [name, type] of Object.entries(ASSETS)) serve(router, `/docs/${name}`, type, () => readAsset(name));
  router.get('/docs/errors/:code', (context) => {
    context.state.route = '/docs/errors/:code';
    const code = context.params['code'] ?? '';
    if (!isErrorCode(code)) throw notFound('error code');
    context.set('content-security-policy', POLICY);
    context.type = 'text/html; charset=utf-8';
    context.body = errorPage(code);
  });
}

function serve(
  router: Router<RequestState>,
  path: string,
  type: string,
  content: string | (() => Promise<Buffer>),
): void {
  router.get(path, async (context) => {
    context.state.route = path;
    context.set('content-security-policy', POLICY);
    context.body = typeof content === 'string' ? content : await content();
    context.type = type;
  });
}

const assets = new Map<string, Promise<Buffer>>();

/** Reads a file of swagger-ui at its first request and keeps it, because the bundle is large and rarely asked for. */
async function readAsset(name: string): Promise<Buffer> {
  const path = createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
  const reading = assets.get(name) ?? readFile(path);
  assets.set(name, reading);
  return reading;
}
