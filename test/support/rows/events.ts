import { z } from 'zod';
import { findRows } from './statements.ts';
import type { Held, Where } from './statements.ts';

type Payload = Record<string, unknown>;
const Body = z.object({ payload: z.record(z.string(), z.unknown()) });

/** The events that dashboards hear of, in the order in which they are told, whose payloads have these values. */
export async function toldEvents(
  held: Held,
  where: Where<'event'>,
  about: Payload = {},
): Promise<{ type: string; payload: Payload }[]> {
  const events = await findRows(held, 'event', where, ['type', 'body'], 'place');
  return events
    .map(({ type, body }) => ({ type, payload: Body.parse(JSON.parse(body)).payload }))
    .filter(({ payload }) => Object.entries(about).every(([name, value]) => payload[name] === value));
}

export async function toldPayloads(held: Held, where: Where<'event'>, about: Payload = {}): Promise<Payload[]> {
  return (await toldEvents(held, where, about)).map(({ payload }) => payload);
}

/** The statuses that dashboards hear of for a message, in their order. */
export async function toldStatuses(held: Held, messageId: string): Promise<unknown[]> {
  return (await toldPayloads(held, { type: 'message.ack' }, { messageId })).map(({ status }) => status);
}
