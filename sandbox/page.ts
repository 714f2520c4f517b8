import { CONTROL_ROUTES } from './control/routes-told.ts';
import { newRouter } from './http/context.ts';
import type { Parts } from './parts.ts';
import { PEOPLE } from './people.ts';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const rows = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, does]) => `<tr><td><code>${escaped(name)}</code></td><td>${escaped(does)}</td></tr>`).join('\n');

const HTML = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sandbox: a simulated messaging backend</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
td { padding: .2rem .8rem .2rem 0; vertical-align: top; }
</style></head>
<body>
<h1>This is a simulation</h1>
<p>No message sent here reaches a real person or a real messaging network, and the model that answers is a few lines of
code. Every answer of this server carries the header <code>X-Sandbox: simulation</code>.</p>
<h2>Magic numbers</h2>
<p>The last four digits of the recipient's phone decide what happens; every other number receives and reads.</p>
<table>
${rows(Object.entries(PEOPLE).map(([digits, person]) => [`…${digits}`, person.does]))}
</table>
<h2>Control routes</h2>
<p>With the same <code>X-Api-Key</code> as the backend.</p>
<table>
${rows(CONTROL_ROUTES)}
</table>
<h2>Model</h2>
<p>An OpenAI-compatible endpoint at <code>/llm/v1/chat/completions</code>.</p>
</body></html>
`;

export function pageRoutes(_parts: Parts) {
  const router = newRouter();
  router.get('/', (ctx) => {
    ctx.type = 'html';
    ctx.body = HTML;
  });
  return router;
}
