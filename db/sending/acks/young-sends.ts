import { z } from 'zod';
import { AckLevel } from '../../../domain/network/ack.ts';
import { ACKS_LOOKED_FOR_MS } from '../../../domain/sending/message-state.ts';
import { rows } from '../../engine/rows.ts';
import type { Queries } from '../../engine/tx.ts';

const YoungSend = z.object({
  id: z.string(),
  level: AckLevel,
  /** True while the activity that has sent the message looks for its acks. */
  isYoung: z.boolean(),
});

/** Reads how far these sends have come, in one statement for all of them. */
export async function listYoungSends(
  queries: Queries,
  messageIds: readonly string[],
): Promise<z.output<typeof YoungSend>[]> {
  return rows(queries, YoungSend)`
    select id, coalesce(ack, 0)::int as level,
      coalesce(sent_at > ${new Date(queries.now.getTime() - ACKS_LOOKED_FOR_MS)}::timestamptz, false) as "isYoung"
    from message where id = any(${messageIds}::text[])`;
}
