import { BACKEND_ROUTES } from '../../api/passthrough/table/table.ts';
import { DOCUMENTED_ROUTES } from './backend-routes.ts';
import type { Document } from './document.ts';
import type { Check } from './table.ts';

/** The engine's table of the backend's routes has every route of the document, with the names of its query. */
export function checkRows({ paths }: Document): Check[] {
  const rows = Object.values(BACKEND_ROUTES).flat();
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, operation]): Check => {
      const method = verb.toUpperCase();
      const row = rows.find((each) => each.method === method && each.path === path);
      const notes: string[] = [];
      if (!DOCUMENTED_ROUTES.includes(`${method} ${path}`)) notes.push('is not in tools/contract/backend-routes.ts');
      if (!row) notes.push('has no row in api/passthrough/table');
      if (row && row.who !== 'nobody') {
        const named = operation.parameters
          .filter((each) => each.in === 'query' && each.name !== 'session')
          .map(({ name }) => name);
        for (const name of named) if (!row.query.includes(name)) notes.push(`its row does not pass ${name} on`);
        for (const name of row.query)
          if (!named.includes(name)) notes.push(`its row passes ${name} on, which it does not take`);
      }
      return { what: `row     ${method} ${path}`, verdict: notes.length === 0 ? 'same' : 'differs', notes };
    }),
  );
}
