import { EngineError } from '../../domain/error.ts';
import type { KeyScope } from '../../domain/tenants/api-key.ts';

/**
 * Refuses a key that lacks this scope; the operator's secrets have all. A handler calls it where its input decides what
 * is needed beyond the scope of the route.
 */
export function requireKeyScope({ scopes }: { scopes: readonly KeyScope[] | 'all' }, scope: KeyScope): void {
  if (scopes === 'all' || scopes.includes(scope)) return;
  throw new EngineError('forbidden', `This key lacks the scope ${scope}: make one with it, or ask for another.`);
}
