import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { PostAnswer, PostRequest } from '../../../adapters/egress/post.ts';
import type { Database } from '../../../db/engine/database.ts';
import { insertEndpoint } from '../../../db/webhooks/endpoint.ts';
import type { NewEndpoint } from '../../../db/webhooks/endpoint.ts';
import { EventEnvelope } from '../../../domain/webhooks/event.ts';
import { rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../../db/a-database.ts';

const SECRET = 'a secret of more than thirty-two characters';

/** A request at the receiver. */
export interface Posted {
  url: string;
  eventId: string;
  text: string;
  lane: string;
  headers: Record<string, string>;
}

type Reply = number | { status: number; retryAfter?: string } | { failure: 'connection_refused' | 'engine_error' };

/** Receivers that answer as they are told, with no network between; `answer` may be changed at any time. */
export function receivers(answer: (posted: Posted, place: number) => Reply = () => 204) {
  const posted: Posted[] = [];
  const taken: Posted[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  const world = {
    answer,
    posted,
    /** The events that got a 2xx, in that order. */
    taken,
    get mostAtOnce() {
      return mostAtOnce;
    },
    textsTaken: () => taken.map(({ text }) => text),
    /** As if nothing had been posted. */
    reset: () => {
      world.answer = answer;
      posted.length = 0;
      taken.length = 0;
      mostAtOnce = 0;
    },
    post: async ({ url, headers, body }: PostRequest): Promise<PostAnswer> => {
      const { payload, metadata } = EventEnvelope.parse(JSON.parse(body.toString('utf8')));
      const lane = metadata.conversationId ?? '';
      const it = { url, headers, eventId: metadata.eventId, text: String(payload['body'] ?? payload['message']), lane };
      posted.push(it);
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      await turn();
      const reply = world.answer(it, posted.length);
      const timings = { durationMs: 1, connectMs: 0, firstByteMs: 1, reused: true };
      atOnce -= 1;
      if (typeof reply === 'object' && 'failure' in reply) return { outcome: 'failed', ...reply, ...timings };
      const { status, retryAfter = null } = typeof reply === 'number' ? { status: reply } : reply;
      if (status < 300) taken.push(it);
      return { outcome: 'answered', status, retryAfter, location: null, bytes: Buffer.alloc(0), ...timings };
    },
  };
  return world;
}
export type Receivers = ReturnType<typeof receivers>;

export function anEndpoint(database: Database, more: Partial<NewEndpoint> = {}): Promise<string> {
  return database.transaction((tx) =>
    insertEndpoint(tx, {
      agencyId: SCOPE.agencyId,
      source: 'api',
      tenantIds: [SCOPE.tenantId],
      url: `http://receiver-${++endpoints}.test/hook`,
      secret: SECRET,
      events: ['message'],
      ...more,
    }),
  );
}
let endpoints = 0;

/** A message of a conversation, as all endpoints that ask for it are told. */
export function tellMessage(
  database: Database,
  sessionId: string,
  conversationId: string,
  text: string,
): Promise<void> {
  return database.transaction(async (tx) => {
    tx.emit({
      ...SCOPE,
      sessionId,
      conversationId,
      event: 'message',
      payload: {
        body: text,
        timestamp: Math.floor(tx.now.getTime() / 1_000),
        from: '15550100001',
        fromKind: 'phone',
        messageId: `msg_${text}`,
        conversationId,
        contactId: null,
        chatId: '15550100001@c.us',
        pushName: null,
        kind: 'text',
        hasMedia: false,
        media: null,
        mediaUrl: null,
        replyTo: null,
        selected: null,
      },
    });
  });
}

export interface Health {
  status: string;
  disabledReason: string | null;
  breaker: string;
  probes: number;
  failures: number;
  concurrency: number | null;
  lastError: string | null;
}

export async function healthOf(database: Database, endpointId: string): Promise<Health> {
  const [row] = await rowsOf(
    database,
    sql<Health>`select e.status, e.disabled_reason as "disabledReason", h.breaker, h.probes, h.consecutive_failures as failures,
      h.concurrency, h.last_error as "lastError" from endpoint e join endpoint_health h on h.endpoint_id = e.id where e.id = ${endpointId}`,
  );
  if (!row) throw new Error('There is no such endpoint.');
  return row;
}

export interface DeliveryRow {
  text: string;
  status: string;
  attempts: number;
  step: number;
  class: string | null;
  outOfOrder: boolean;
  leased: boolean;
}

export async function deliveriesOf(database: Database, endpointId: string): Promise<DeliveryRow[]> {
  return rowsOf(
    database,
    sql<DeliveryRow>`select e.body::jsonb->'payload'->>'body' as text, d.status, d.attempts, d.ladder_step as step,
      d.last_class as class, d.out_of_order as "outOfOrder", d.lease_token is not null as leased
      from delivery d join event e on e.id = d.event_id and e.created_at = d.event_created_at
      where d.endpoint_id = ${endpointId} order by d.id`,
  );
}
