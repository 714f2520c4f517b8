import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { DEFAULT_BACKEND } from '../../domain/backend-server.ts';
import type { NetworkMessage } from '../../domain/network/network-event.ts';
import { PHONE_IS_LIVE_MS } from '../../domain/agent/turn.ts';
import type { Tx } from '../engine/tx.ts';
import { run } from '../engine/rows.ts';

const MAX_KEY_LENGTH = 200;

/** An event as the backend delivered it. */
export interface ReceivedEvent {
  /** The server that sent it; null where nobody knows. */
  backend?: string | null;
  sessionName: string;
  requestId: string | null;
  body: string;
  /** The message of our own account that the event tells of. */
  own?: NetworkMessage | null;
}

/**
 * Stores the raw bodies of events, in their order, as the first step of the ingest. A delivery that is repeated on the
 * same day (same request id, else same body) is stored once; a repetition after midnight is recognised when it is
 * applied. The ids of an own message are noted, because the agent waits until it is known who wrote the message.
 */
export async function receiveBackendEvents(tx: Tx, received: readonly ReceivedEvent[]): Promise<void> {
  await run(tx)`
    insert into backend_event (backend, session_name, request_key, body, own_network_id, own_chat_ids)
    select r.backend, r.session_name, r.request_key, r.body, case when is_live then r.own_network_id end,
      case when is_live then r.own_chat_ids end
    from (values ${sql.join(received.map(toValues))})
      as r(place, backend, session_name, request_key, body, own_network_id, own_chat_ids, own_at)
    cross join lateral (select to_timestamp(r.own_at)
      > clock_timestamp() - ${PHONE_IS_LIVE_MS} * interval '1 millisecond' as is_live) own
    order by r.place
    on conflict (received_on, session_name, request_key) do nothing`;
}

function toValues(
  { backend = null, sessionName, requestId, body, own = null }: ReceivedEvent,
  place: number,
): RawBuilder<unknown> {
  const key = keyOf(backend, requestId ?? hash(body));
  // PostgreSQL's text cannot hold the character NUL; valid JSON contains it only escaped.
  const stored = body.replaceAll('\u0000', '\ufffd');
  const chatIds = own && [own.chatId, ...own.aliases];
  const name = storedSessionName(sessionName);
  return sql`(${sql.lit(place)}, ${backend}::text, ${name}, ${key}, ${stored}, ${own?.networkId ?? null}::text,
    ${chatIds}::text[], ${own?.timestamp ?? null}::float8)`;
}

/**
 * Makes the key by which a repeated delivery is known. Two servers may give the same one while a session moves between
 * them.
 */
function keyOf(backend: string | null, key: string): string {
  const own = backend === null || backend === DEFAULT_BACKEND ? key : `${backend} ${key}`;
  // A long key is hashed, because an index entry has a maximum size.
  return own.length > MAX_KEY_LENGTH ? hash(own) : own;
}

/** Returns the name under which the events of a session are stored. */
export function storedSessionName(name: string): string {
  return name.replaceAll('\u0000', '').toWellFormed().slice(0, MAX_KEY_LENGTH);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
