import type { Session } from '../state/session.ts';
import type { Core } from './core.ts';

const RESTRICTED_MS = 10 * 60_000;

/** Makes the network forbid the account to write to strangers for a while; `me.reachoutTimelock` shows this. */
export function restrict(core: Core, session: Session): void {
  core.world.record({ kind: 'session.restricted', session: session.name, until: Date.now() + RESTRICTED_MS });
}
