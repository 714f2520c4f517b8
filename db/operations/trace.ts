import { z } from 'zod';
import { rows } from '../rows.ts';
import type { Queries } from '../tx.ts';

const TraceRow = z.object({ id: z.string(), trace: z.string() });

/** Reads the traces in which messages were accepted, by the messages' ids. Only processes that trace ask for them. */
export async function findTraces(queries: Queries, messageIds: readonly string[]): Promise<Map<string, string>> {
  const found = await rows(queries, TraceRow)`
    select id, trace from message where id = any(${messageIds}::text[]) and trace is not null`;
  return new Map(found.map(({ id, trace }) => [id, trace]));
}
