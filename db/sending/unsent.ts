import { sql } from 'kysely';
import { z } from 'zod';
import type { Scope } from '../../domain/scope.ts';
import type { Plan } from '../../domain/sending/plan.ts';
import type { UnsentStatus } from '../../domain/sending/unsent.ts';
import type { Queries } from '../engine/tx.ts';
import { rows } from '../engine/rows.ts';
import { isBackendAway, PlanOf, whileAway } from './plan.ts';
import { Message } from '../conversations/message.ts';

/** The last message of the previous page. */
export interface UnsentCursor {
  at: Date | null;
  id: string;
}

const Unsent = z.object({ id: z.string(), chatId: z.string(), plan: PlanOf.nullable(), isAway: z.boolean() });

/**
 * Lists our sends that wait, or that ended without having been sent: scheduled messages by their time, others newest
 * first. It reads a page of each session, because the indexes of open messages begin with the session.
 */
export async function listUnsent(
  queries: Queries,
  scope: Scope,
  page: {
    status: UnsentStatus;
    limit: number;
    after: UnsentCursor | null;
    sessionId: string | null;
    conversationId: string | null;
  },
): Promise<{ message: Message; chatId: string; plan: Plan | null }[]> {
  const { status, limit, after } = page;
  const isScheduled = status === 'scheduled';
  const behind = !after
    ? sql`true`
    : isScheduled
      ? sql`(m.scheduled_at, m.id) > (${after.at}, ${after.id})`
      : sql`m.id < ${after.id}`;
  const order = isScheduled ? sql`m.scheduled_at, m.id` : sql`m.id desc`;
  const unsent = await rows(queries, Unsent)`
    select m.id, c.chat_id as "chatId", ${isBackendAway(sql`m.id`)} as "isAway",
      case when m.status in ('queued', 'scheduled') then plan_of(m.id, ${queries.now}) end as plan
    from session s left join backend b on b.id = s.backend cross join lateral (
      select m.id, m.scheduled_at, m.conversation_id, m.status from message m
      where m.session_id = s.id and m.status = ${sql.lit(status)} and m.direction = 'out'
        and is_sent_by_engine(m.origin) and ${behind}
        and (${page.conversationId}::text is null or m.conversation_id = ${page.conversationId})
      order by ${isScheduled ? order : sql`m.session_id desc, m.status desc, ${order}`} limit ${limit}) m
    join conversation c on c.id = m.conversation_id
    where s.agency_id = ${scope.agencyId} and s.tenant_id = ${scope.tenantId}
      and (${scope.sessionId}::text is null or s.id = ${scope.sessionId})
      and (${page.sessionId}::text is null or s.id = ${page.sessionId})
    order by ${order} limit ${limit}`;
  const found = await queries.em.find(Message, {
    agencyId: scope.agencyId,
    tenantId: scope.tenantId,
    id: { $in: unsent.map(({ id }) => id) },
  });
  const byId = new Map(found.map((message) => [message.id, message]));
  return unsent.flatMap(({ id, chatId, plan, isAway }) => {
    const message = byId.get(id);
    return message ? [{ message, chatId, plan: plan && (isAway ? whileAway(plan) : plan) }] : [];
  });
}
