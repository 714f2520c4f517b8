import { OURS } from '../request.ts';
import type { BackendRoute } from './row.ts';
import { BACKEND_ROUTES } from './table.ts';

const WHO = {
  client: 'any key of its tenant',
  dashboard: "the dashboard's and the master key",
  nobody: 'nobody',
} as const;

const DOES = {
  passes: 'streamed',
  shows: 'passed on; without webhooks, proxy and apps in the answer',
  asks: "done by the session's supervisor, as by the engine's own route; then the session as it is",
  records: 'passed on and written into the inbox',
  sends: 'sent by the queue; what the queue does not know is passed on and written into the inbox',
} as const;

const INTRODUCTION = `# Routes of the backend

This page is written by \`npm run backend-routes\` from \`api/passthrough/table/\`; a test holds the two together.

A client that was written for the backend works with a session's key and the engine's address: it keeps its paths, \`/api/…\`, and sends the key
as \`X-Api-Key\`. \`POST /api/v1/api-keys\` makes such a key ([how](security.md#keys)). The same routes stand under \`/api/v1/…\`, where the engine's own words come first.

What such a client has to change: it does not make or list sessions, but connects one by \`POST /api/v1/sessions\`; and webhooks in a session's configuration and the backend's WebSocket
are not there: it [subscribes an endpoint](webhooks.md) or pulls \`GET /api/v1/webhooks/events\`, whose events have another form.

- **Session**: the engine writes the own session's name where the backend reads it, in the path, the query or the body, and before everything else there.
  A client may name it by its name, its id, as \`default\`, or not at all; two different names, and any other, are 404.
- **Left out**: every header but \`Accept\`, \`Accept-Language\` and \`traceparent\`, with them all credentials; \`${OURS.join('`, `')}\` in the query and the body,
  which the engine reads; and of the answer cookies and the headers that name the backend's software. A name of the query that is not in the table is 400.
- **Files** that a body names by their address are fetched by the engine, through the same guards as attachments, and go on as data: the backend stands in the operator's network.
- **Messages** count as a person's, and take the conversation over from the agent, unless \`actor\` is \`bot\` in the query or the body. They show \`origin: passthrough\`.
- **Bounds**: four requests of a session at a time and sixteen of an agency; one more waits a second and is then 503 \`busy\` with \`Retry-After\`. A read ends after 60 s and a change
  after 120 s (504 \`backend_timeout\`); an answer that nobody takes for 30 s is cut. Bodies have 1 MiB, with a file 50 MiB, and 128 MiB where the session stands in the path.
- **Record**: each request is in \`GET /api/v1/passthrough/requests\` for 30 days, without its body, its path and the values of its query.
`;

/** Writes the page of the documentation that lists every route of the backend. */
export function backendRoutesPage(): string {
  const sections = Object.entries(BACKEND_ROUTES).map(([subject, rows]) => `\n## ${subject}\n\n${table(rows)}\n`);
  return INTRODUCTION + sections.join('');
}

function table(rows: readonly BackendRoute[]): string {
  const head = ['Route', 'Who may', 'Session written into', 'Query', 'What happens', 'Why'];
  const cells = [head, ...rows.map(cellsOf)];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

function cellsOf({ method, path, who, does, sessionIn, query, files, why }: BackendRoute): string[] {
  const name = `\`${method} ${path}\``;
  // Only what begins with /api/ is ever taken for a route of the backend.
  if (who === 'nobody') return [name, WHO[who], '', '', path.startsWith('/api/') ? '403' : '404', why];
  const fetched = files.length === 0 ? '' : '; a file is fetched by the engine';
  return [name, WHO[who], sessionIn, query.map((each) => `\`${each}\``).join(' '), DOES[does] + fetched, why];
}
