import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { BACKEND_AWAY, PLAN_RULES } from '../../domain/sending/plan.ts';
import type { Plan } from '../../domain/sending/plan.ts';
import { Timestamp } from '../engine/columns.ts';
import type { Queries } from '../engine/tx.ts';
import { one } from '../engine/rows.ts';
import type { Message } from '../conversations/message.ts';

/** The answer of `plan_of`, with its time as the API shows it. */
export const PlanOf = z
  .object({ sendAt: Timestamp.nullable(), rule: z.enum(PLAN_RULES), expiresBefore: z.literal(true).optional() })
  .transform(({ sendAt, ...plan }): Plan => ({ sendAt: sendAt?.toISOString() ?? null, ...plan }));

const Planned = z.object({ plan: PlanOf, isAway: z.boolean() });

/** These let a message go soon, so a backend that is away holds it; the others last longer than most outages. */
const SOON: readonly Plan['rule'][] = ['now', 'queue', 'pace'];

/**
 * True where backend `b` is away for a message. The look at all backends says so, which knows of messages not yet
 * tried, or the last attempt met nobody there and no look since has found it well.
 */
export const isBackendAway = (messageId: RawBuilder<unknown>) => sql`coalesce(b.trouble = ${BACKEND_AWAY} or (
  select h.reason = ${BACKEND_AWAY} and h.at > coalesce(b.answered_at, '-infinity')
  from message_history h where h.message_id = ${messageId} order by h.id desc limit 1), false)`;

/** Estimates when a waiting message is likely to go out; null for a message that does not wait. */
export async function findPlan(
  queries: Queries,
  { id, agencyId, tenantId, sessionId, status }: Pick<Message, 'id' | 'agencyId' | 'tenantId' | 'sessionId' | 'status'>,
): Promise<Plan | null> {
  if (status !== 'queued' && status !== 'scheduled') return null;
  const { plan, isAway } = await one(queries, Planned)`
    select plan_of(${id}, ${queries.now}) as plan,
      coalesce((select ${isBackendAway(sql`${id}`)} from session s left join backend b on b.id = s.backend
        where s.id = ${sessionId} and s.agency_id = ${agencyId} and s.tenant_id = ${tenantId}), false)
        as "isAway"`;
  return isAway ? whileAway(plan) : plan;
}

/** The plan of a message whose backend is away. */
export function whileAway(plan: Plan): Plan {
  return SOON.includes(plan.rule) ? { sendAt: null, rule: BACKEND_AWAY } : plan;
}
