import { z } from 'zod';
import { currentTrace, inSpan, isTracing } from '../domain/telemetry/tracing.ts';
import { rows, run } from './engine/rows.ts';
import type { Queries, Tx } from './engine/tx.ts';

const TraceRow = z.object({ id: z.string(), trace: z.string() });

/** Reads the traces in which messages were accepted, by the messages' ids. Only processes that trace ask for them. */
export async function findTraces(queries: Queries, messageIds: readonly string[]): Promise<Map<string, string>> {
  const found = await rows(queries, TraceRow)`
    select id, trace from message where id = any(${messageIds}::text[]) and trace is not null`;
  return new Map(found.map(({ id, trace }) => [id, trace]));
}

/** The rows for which workflows start, by their ids. */
export interface Causes {
  messages: readonly string[];
  conversations: readonly string[];
  executions: readonly string[];
}

/**
 * Reads the traces of what workflows are started for, by the ids of their rows: that of the message; that of the last
 * message which waits for the agent; and that of the message which began an automation.
 */
export async function findCauses(
  queries: Queries,
  { messages, conversations, executions }: Causes,
): Promise<Map<string, string>> {
  const found = await rows(queries, TraceRow)`
    select id, trace from (
      select id, trace from message where id = any(${messages}::text[])
      union all
      select c.id, (select m.trace from message m where m.conversation_id = c.id and m.awaits_turn
        order by m.created_at desc, m.id desc limit 1)
      from unnest(${conversations}::text[]) c(id)
      union all
      select e.id, m.trace from automation_execution e join message m on m.id = e.trigger->>'messageId'
      where e.id = any(${executions}::text[])
    ) cause where trace is not null`;
  return new Map(found.map(({ id, trace }) => [id, trace]));
}

/**
 * Begins a trace for each message that has come, and keeps it with the message: the agent's turn, the automations and
 * the events that follow from the message are found by it. Without traces it does nothing.
 */
export async function beginTraces(tx: Tx, messageIds: readonly string[]): Promise<void> {
  if (!isTracing() || messageIds.length === 0) return;
  const traces = await Promise.all(
    messageIds.map((id) =>
      inSpan({ name: 'message in', kind: 'consumer' }, () => Promise.resolve({ id, trace: currentTrace() })),
    ),
  );
  await run(tx)`
    update message m set trace = t.trace
    from jsonb_to_recordset(${JSON.stringify(traces)}::jsonb) as t(id text, trace text) where m.id = t.id`;
}
