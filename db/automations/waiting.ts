import { z } from 'zod';
import { insertTold } from '../promises.ts';
import { rows, run } from '../rows.ts';
import type { NewEvent, Tx } from '../tx.ts';

const WaitingRow = z.object({ id: z.string() });

/** Tells the executions that wait for these events in their conversations to look again. */
export async function tellWaiting(tx: Tx, agencyId: string, events: readonly NewEvent[]): Promise<void> {
  const acked = conversationsOf(events.filter(({ event }) => event === 'message.ack'));
  const others = conversationsOf(events.filter(({ event }) => event !== 'message.ack'));
  if (acked.length === 0 && others.length === 0) return;
  const waiting = await rows(tx, WaitingRow)`
    select id from automation_execution
    where conversation_id = any(${[...acked, ...others]}::text[]) and agency_id = ${agencyId} and status = 'running'
      and waits_for is not null
      and (waits_for = 'ack' or conversation_id = any(${others}::text[]))`;
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
