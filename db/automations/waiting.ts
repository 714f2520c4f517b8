import { z } from 'zod';
import { insertTold } from '../promises.ts';
import { rows, run } from '../engine/rows.ts';
import type { NewEvent, Tx } from '../engine/tx.ts';

const WaitingRow = z.object({ id: z.string() });

/**
 * Tells the executions that wait for these events in their conversations to look again. Events name the conversation
 * that another one became; an execution keeps the one in which it began.
 */
export async function tellWaiting(tx: Tx, agencyId: string, events: readonly NewEvent[]): Promise<void> {
  const acked = conversationsOf(events.filter(({ event }) => event === 'message.ack'));
  const others = conversationsOf(events.filter(({ event }) => event !== 'message.ack'));
  if (acked.length === 0 && others.length === 0) return;
  const named = [...acked, ...others];
  const waiting = await rows(tx, WaitingRow)`
    select distinct e.id from unnest(${named}::text[]) named(id) cross join ids_of_conversation(named.id) as own(id)
    join automation_execution e on e.conversation_id = own.id
    where e.agency_id = ${agencyId} and e.status = 'running' and e.waits_for is not null
      and (e.waits_for = 'ack' or named.id = any(${others}::text[]))`;
  if (waiting.length === 0) return;
  await run(tx)`${insertTold(
    'runAutomation',
    'changed',
    waiting.map(({ id }) => ({ key: id, agencyId })),
  )}`;
  tx.wake('dispatch');
}

function conversationsOf(events: readonly NewEvent[]): string[] {
  return [...new Set(events.flatMap(({ conversationId }) => conversationId ?? []))];
}
