import { ERRORS } from '../../domain/error.ts';
import type { ErrorCode } from '../../domain/error.ts';
import { places } from './library.ts';
import { escaped, page } from './page.ts';

/** Shows the one table of errors as a page for people, by status and then by code. */
export function errorListPage(): string {
  const rows = Object.entries(ERRORS)
    .toSorted(([a, { status: first }], [b, { status: second }]) => first - second || a.localeCompare(b))
    .map(
      ([code, { status, cause }]) =>
        `<tr><td><a href="errors/${code}"><code>${code}</code></a></td><td>${status}</td><td>${coded(cause)}</td></tr>`,
    );
  return page({
    title: 'Errors',
    toRoot: '../',
    body: `<h1>Errors</h1><p>Branch on <code>code</code>; titles and details may change. Every error is <code>application/problem+json</code>. The page of a code says what to do.</p>
<table><tr><th>code</th><th>status</th><th>cause</th></tr>${rows.join('\n')}</table>`,
  });
}

/** Makes the page that the `type` of a problem points to. */
export async function errorPage(code: ErrorCode): Promise<string> {
  const { status, title, retry, cause, mend, example } = ERRORS[code];
  const type = `/docs/errors/${code}`;
  const problem = { type, title, status, code, ...example, requestId: 'req_…' };
  const guides = await guidesAbout(code);
  return page({
    title: code,
    toRoot: '../../',
    body: `<h1><code>${code}</code></h1><p>${escaped(title)}. HTTP status ${status}.</p>
<h2>Cause</h2><p>${coded(cause)}</p>
<h2>What to do</h2><p>${coded(mend)}</p>
<p>${retry ? 'The same request may succeed later: repeat it after a pause, or after <code>Retry-After</code> if it is given.' : 'The same request is refused again until something changes.'}</p>
<h2>Example</h2><pre><code>${escaped(JSON.stringify(problem, null, 2))}</code></pre>
<p>Quote the <code>requestId</code> of the response when you ask the operator of the engine about it.</p>
<p>${guides.length > 0 ? `Guides that mention it: ${guides.join(', ')}. ` : ''}<a href="../../docs">All guides</a>, <a href="../errors">all errors</a>.</p>`,
  });
}

async function guidesAbout(code: string): Promise<string[]> {
  const about = (await places()).filter(({ address, text }) => !address.startsWith('errors/') && text.includes(code));
  return about.map(
    ({ address, guide, title }) =>
      `<a href="../${escaped(address)}">${escaped(guide === title ? title : `${guide}: ${title}`)}</a>`,
  );
}

/** Shows what stands in backticks as code. */
function coded(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
