import { z } from 'zod';
import { ask } from './ask.ts';
import type { Asked } from './ask.ts';
import { findRoute } from './document.ts';
import { EXTRA_ROUTES } from './known.ts';
import type { Check } from './table.ts';

const Routes = z.array(z.object({ method: z.string(), path: z.string() }));

/** Whatever the sandbox serves exists at the backend, or is named as its own. */
export async function checkRoutes(asked: Asked): Promise<Check[]> {
  const { body } = await ask(asked, 'GET', '/sandbox/routes');
  return Routes.parse(body).map(({ method, path }): Check => {
    const what = `route   ${method} ${path}`;
    if (findRoute(asked.document, method, path)) return { what, verdict: 'same', notes: [] };
    const reason = reasonFor(method, path);
    return reason === undefined
      ? { what, verdict: 'differs', notes: ['is not in the document'] }
      : { what, verdict: 'known', notes: [reason] };
  });
}

function reasonFor(method: string, path: string): string | undefined {
  return Object.entries(EXTRA_ROUTES).find(([route]) => fits(route, method, path))?.[1];
}

function fits(route: string, method: string, path: string): boolean {
  const [wantedMethod = '', wantedPath = ''] = route.split(' ');
  const isPath = wantedPath.endsWith('*') ? path.startsWith(wantedPath.slice(0, -1)) : path === wantedPath;
  return isPath && (wantedMethod === '*' || wantedMethod === method);
}
