import { z } from 'zod';
import { AckLevel } from '../../../domain/network/ack.ts';
import { ACKS_LOOKED_FOR_MS } from '../../../domain/sending/message-state.ts';
import { rows } from '../../rows.ts';
import type { Queries } from '../../tx.ts';

const YoungSend = z.object({
  id: z.string(),
  level: AckLevel,
  /** True while the acks of the send are looked for, and its workflow is not signalled. */
  isYoung: z.boolean(),
});

/** An ack may be written by a transaction that began while the send was young, so the last look comes later. */
const LAST_LOOK_AFTER_MS = ACKS_LOOKED_FOR_MS + 500;

/** Reads how far these sends have come, in one statement for all of them. */
export async function listYoungSends(
  queries: Queries,
  messageIds: readonly string[],
): Promise<z.output<typeof YoungSend>[]> {
  return rows(queries, YoungSend)`
    select id, coalesce(ack, 0)::int as level,
      coalesce(sent_at > ${new Date(queries.now.getTime() - LAST_LOOK_AFTER_MS)}::timestamptz, false) as "isYoung"
    from message where id = any(${messageIds}::text[])`;
}

/** True for a send whose acks are looked for, so that nobody need be told of them. */
export function isYoung(sentAtMs: number | null, now: Date): boolean {
  return sentAtMs !== null && now.getTime() - sentAtMs < ACKS_LOOKED_FOR_MS;
}
