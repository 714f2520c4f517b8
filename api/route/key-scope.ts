import { EngineError } from '../../domain/error.ts';
import type { KeyScope } from '../../domain/tenants/api-key.ts';
import type { KeyHolder } from './auth.ts';

/** Refuses the key of a session that lacks this scope; other keys may do all that their tenants may. */
export function requireKeyScope({ kind, scopes }: KeyHolder, scope: KeyScope): void {
  if (kind !== 'session' || scopes.includes(scope)) return;
  throw new EngineError('forbidden', `This takes the dashboard's key, or a session's key with the scope ${scope}.`);
}
