import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { AckLevel } from '../../../domain/network/ack.ts';
import { ACKS_LOOKED_FOR_MS } from '../../../domain/sending/message-state.ts';
import { rows } from '../../rows.ts';
import type { Queries, Tx } from '../../tx.ts';

const YoungSend = z.object({
  id: z.string(),
  level: AckLevel,
  /** True while the acks of the send are looked for, and its workflow is not signalled. */
  isYoung: z.boolean(),
});

/** The last look comes so much later that most acks of young sends are written by then. */
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

const LastLook = YoungSend.pick({ id: true, level: true });

/**
 * Reads for the last time how far sends have come that are young no more. A send on which a transaction works is left
 * out: the transaction may apply an ack of which it tells nobody, so the look comes again once it has committed.
 */
export async function lookForTheLastTime(tx: Tx, messageIds: readonly string[]): Promise<z.output<typeof LastLook>[]> {
  return rows(tx, LastLook)`
    select id, coalesce(ack, 0)::int as level from message where id = any(${messageIds}::text[])
    for share skip locked`;
}

/**
 * True for a send whose acks are looked for, so that nobody need be told of them. The time is asked once the lock on
 * the message is held: whoever got the lock while the send was young is waited for by the last look.
 */
export function isLookedFor({ now }: Tx): RawBuilder<unknown> {
  return sql`coalesce("sentAt" > ${new Date(now.getTime() - ACKS_LOOKED_FOR_MS)}::timestamptz
    + (clock_timestamp() - now()), false)`;
}
