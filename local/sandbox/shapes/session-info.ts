import type { Engine } from '../state/fact.ts';
import type { Session } from '../state/session.ts';
import { meOf } from './me.ts';

/** Makes an item of `GET /api/sessions`. It holds the webhooks' keys in clear, as in the real backend. */
export function sessionInfo(session: Session) {
  const works = session.status === 'WORKING';
  return {
    name: session.name,
    status: session.status,
    config: session.config,
    // A session without an account has no `me`.
    me: meOf(session) ?? undefined,
    presence: works ? 'online' : null,
    timestamps: { activity: works ? (session.statuses.at(-1)?.timestamp ?? null) : null },
  };
}

export function sessionDetail(session: Session, engine: Engine) {
  return { ...sessionInfo(session), engine: { engine } };
}
