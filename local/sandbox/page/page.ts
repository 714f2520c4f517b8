import { readFileSync } from 'node:fs';
import { CONTROL_ROUTES } from '../control/routes-told.ts';
import { newRouter } from '../http/context.ts';
import type { Parts } from '../parts.ts';
import { PEOPLE } from '../people.ts';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const rows = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, does]) => `<tr><td><code>${escaped(name)}</code></td><td>${escaped(does)}</td></tr>`).join('\n');

/** The page talks to its own server alone, and nothing that somebody wrote can become a script of it. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PEOPLE_ROWS = rows(Object.entries(PEOPLE).map(([digits, person]) => [`…${digits}`, person.does]));
const HTML = readHere('page.html')
  .replace('<!-- people -->', () => PEOPLE_ROWS)
  .replace('<!-- control routes -->', () => rows(CONTROL_ROUTES));

const FILES = {
  '/page/client.js': { type: 'text/javascript; charset=utf-8', text: readHere('client.js') },
  '/page/person-actions.js': { type: 'text/javascript; charset=utf-8', text: readHere('person-actions.js') },
  '/page/dom.js': { type: 'text/javascript; charset=utf-8', text: readHere('dom.js') },
  '/page/style.css': { type: 'text/css; charset=utf-8', text: readHere('style.css') },
  '/': { type: 'text/html; charset=utf-8', text: HTML },
};

export function pageRoutes(_parts: Parts) {
  const router = newRouter();
  for (const [path, { type, text }] of Object.entries(FILES)) {
    router.get(path, (ctx) => {
      ctx.set('content-security-policy', POLICY);
      ctx.set('x-content-type-options', 'nosniff');
      ctx.set('referrer-policy', 'no-referrer');
      ctx.type = type;
      ctx.body = text;
    });
  }
  return router;
}

function readHere(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
