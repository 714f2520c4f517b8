import { ERRORS } from '../../domain/error.ts';
import type { ErrorCode } from '../../domain/error.ts';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem}' +
  'td,th{text-align:left;padding:.3rem 1rem .3rem 0}code{font-size:1rem}';

/** Shows the table of `domain/error.ts` as a page for people. */
export function errorListPage(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, title }]) =>
      `<tr><td><a href="errors/${code}"><code>${code}</code></a></td><td>${status}</td><td>${title}</td></tr>`,
  );
  return page(
    'Errors',
    `<h1>Errors</h1><p>Branch on <code>code</code>; titles and details may change.</p>
<table><tr><th>code</th><th>status</th><th>meaning</th></tr>${rows.join('\n')}</table>`,
  );
}

/** Makes the page that the `type` of a problem points to. */
export function errorPage(code: ErrorCode): string {
  const { status, title, retry } = ERRORS[code];
  const advice = retry
    ? 'The same request may succeed later. Repeat it after a pause, after Retry-After where it is given.'
    : 'The same request will be refused again. Correct it first; detail and errors say what is wrong.';
  return page(
    code,
    `<h1><code>${code}</code></h1><p>${title}.</p><p>HTTP status ${status}. ${advice}</p>
<p>Quote the <code>requestId</code> of the answer when you ask the operator of the engine about it.</p>
<p><a href="../errors">All errors</a></p>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><style>${STYLE}</style>${body}</html>`;
}
