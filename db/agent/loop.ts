import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { LOOP_LOOKS_BACK } from '../../domain/agent/loop.ts';

/** A message of the conversation, as `isLoop` of `domain/agent/loop.ts` takes it. */
export const SaidRow = z.object({ by: z.enum(['contact', 'agent', 'person']), text: z.string(), atMs: z.number() });

/**
 * Selects the last messages of a conversation, in the order of time, for `isLoop` of `domain/agent/loop.ts`. Our sends
 * count from the claim on, because the contact's answer may come before the backend has told us that the message is
 * sent.
 */
export function saidLately(conversationId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select by, text, (extract(epoch from at) * 1000)::float8 as "atMs" from (
      select case when direction = 'in' then 'contact' when origin = 'ai' then 'agent' else 'person' end as by,
        case when direction = 'in' then occurred_at else coalesce(claimed_at, sent_at, occurred_at) end as at,
        body as text, id
      from message
      where conversation_id = ${conversationId} and (status = 'sending' or was_said(status))
      order by occurred_at desc, id desc limit ${LOOP_LOOKS_BACK}) said
    order by at, id`;
}
