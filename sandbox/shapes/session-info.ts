import type { Engine } from '../state/fact.ts';
import type { Session } from '../state/session.ts';
import { meOf } from './me.ts';

/** An item of `GET /api/sessions`. The webhooks' keys are in it in clear, as they are in the real one. */
export function sessionInfo(session: Session) {
  const works = session.status === 'WORKING';
  return {
    name: session.name,
    status: session.status,
    config: session.config,
    // Left out where there is none.
    me: meOf(session) ?? undefined,
    presence: works ? 'online' : null,
    timestamps: { activity: works ? (session.statuses.at(-1)?.timestamp ?? null) : null },
  };
}

export function sessionDetail(session: Session, engine: Engine) {
  return { ...sessionInfo(session), engine: { engine } };
}
