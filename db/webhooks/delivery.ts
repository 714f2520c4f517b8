import { z } from 'zod';
import type { AttemptClass, Verdict } from '../../domain/webhooks/retry.ts';
import { IdRow, Timestamp } from '../engine/columns.ts';
import { row, rows } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { wakeOwner } from './shards/shard-of.ts';

/** The result of an attempt, as its record keeps it. */
export interface AttemptOutcome {
  class: AttemptClass;
  status: number | null;
  durationMs: number;
  connectMs: number | null;
  firstByteMs: number | null;
  reused: boolean;
  /** The beginning of the answer's body as text, or `base64:` and its bytes when they are not text. */
  excerpt: string | null;
  /** The URL to which a redirect leads that was not followed. */
  location: string | null;
}

export interface AttemptRecord extends Verdict, AttemptOutcome {
  id: string;
  probe: boolean;
}

const DueRow = z.object({ at: Timestamp.nullable() });

/** Finds when the endpoint's next delivery is attempted; null when nothing is pending that could be. */
export async function nextDeliveryAt(queries: Queries, endpointId: string): Promise<Date | null> {
  const found = await row(queries, DueRow)`select next_delivery_at(${endpointId}) as at`;
  return toCome(found?.at ?? null, queries.now);
}

/** Returns now for a due attempt that waits for its turn, because a past time is never the next one. */
export function toCome(at: Date | null, now: Date): Date | null {
  return at !== null && at < now ? now : at;
}

/** Passes heads that keep failing, so that their lanes go on; returns how many endpoints have such lanes. */
export async function passFailingHeads(tx: Tx, limit: number): Promise<number> {
  const found = await rows(tx, IdRow)`select pass_failing_heads(${tx.now}, ${limit}) as id`;
  for (const { id } of found) wakeOwner(tx, id);
  return found.length;
}
