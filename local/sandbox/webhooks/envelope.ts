import { ulid } from '../ids.ts';
import { meOf } from '../shapes/me.ts';
import type { Engine } from '../state/fact.ts';
import type { Session } from '../state/session.ts';
import { environment } from '../version.ts';

export interface Envelope {
  id: string;
  timestamp: number;
  event: string;
  session: string;
  metadata?: Record<string, string>;
  me: object | null;
  payload: object;
  engine: Engine;
  environment: ReturnType<typeof environment>;
}

/** Makes the envelope around a payload; all of a session's webhooks get it with the same id. */
export function envelope(
  session: Session,
  { version, engine }: { version: string; engine: Engine },
  { event, payload, timestamp }: Pick<Envelope, 'event' | 'payload' | 'timestamp'>,
): Envelope {
  const { metadata } = session.config;
  return {
    id: `evt_${ulid(timestamp).toLowerCase()}`,
    timestamp,
    event,
    session: session.name,
    ...(metadata && { metadata }),
    me: meOf(session),
    payload,
    engine,
    environment: environment(version, engine),
  };
}
