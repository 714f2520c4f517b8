import { sql } from 'kysely';
import type { TenantScope } from '../../domain/scope.ts';
import { IdRow } from '../engine/columns.ts';
import { row } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import type { Subject } from './subject.ts';

/**
 * The network tells whole seconds, by a clock of its own. A message from just before the moment of an erasure would
 * seem later than it, and the next read of the history would restore it.
 */
const JUST_NOW = '2 seconds';
/** A network whose clock is further ahead is wrong, and nothing waits for it. */
const MAX_AHEAD = '1 minute';
/** Somebody who goes on writing does not put the erasure off for longer than this. */
const MAX_DELAY_MS = 60_000;

/**
 * Whether an erasure has to wait, because something was said to or by the person just now. A batch asks this of the
 * messages that it deletes alone: to ask it of all of them each time would read them once for each batch.
 */
export async function wasJustSaid(
  tx: Tx,
  { agencyId, tenantId, createdAt }: TenantScope & { createdAt: Date },
  among: Pick<Subject, 'conversationIds' | 'chatIds'> | { messageIds: readonly string[] },
): Promise<boolean> {
  if (tx.now.getTime() - createdAt.getTime() > MAX_DELAY_MS) return false;
  const isOne =
    'messageIds' in among
      ? sql`id = any(${[...among.messageIds]}::text[])`
      : sql`(conversation_id = any(${among.conversationIds}::text[])
        or participant = any(${among.chatIds}::text[]) and agency_id = ${agencyId} and tenant_id = ${tenantId})`;
  const said = await row(tx, IdRow)`
    select id from message
    where ${isOne}
      and greatest(occurred_at, sent_at) between ${tx.now}::timestamptz - ${JUST_NOW}::interval
        and ${tx.now}::timestamptz + ${MAX_AHEAD}::interval
    limit 1`;
  return said !== undefined;
}
