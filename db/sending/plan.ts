import { z } from 'zod';
import { BACKEND_AWAY, PLAN_RULES } from '../../domain/sending/plan.ts';
import type { Plan } from '../../domain/sending/plan.ts';
import { Timestamp } from '../columns.ts';
import type { Queries } from '../tx.ts';
import { one } from '../rows.ts';
import type { Message } from '../conversations/message.ts';

/** The answer of `plan_of`, with its time as the API shows it. */
export const PlanOf = z
  .object({ sendAt: Timestamp.nullable(), rule: z.enum(PLAN_RULES), expiresBefore: z.literal(true).optional() })
  .transform(({ sendAt, ...plan }): Plan => ({ sendAt: sendAt?.toISOString() ?? null, ...plan }));

const Planned = z.object({ plan: PlanOf, isBackendAway: z.boolean() });

/** These let a message go soon, so a backend that is away holds it; the others last longer than most outages. */
const SOON: readonly Plan['rule'][] = ['now', 'queue', 'pace'];

/**
 * Estimates when a waiting message is likely to go out; null for a message that does not wait. Its backend is away if
 * the look at all backends says so, which knows of messages not yet tried, or if the last attempt met nobody there and
 * no look since has found it well.
 */
export async function findPlan(
  queries: Queries,
  { id, agencyId, tenantId, sessionId, status }: Pick<Message, 'id' | 'agencyId' | 'tenantId' | 'sessionId' | 'status'>,
): Promise<Plan | null> {
  if (status !== 'queued' && status !== 'scheduled') return null;
  const { plan, isBackendAway } = await one(queries, Planned)`
    select plan_of(${id}, ${queries.now}) as plan,
      coalesce((select b.trouble = ${BACKEND_AWAY} or (last.reason = ${BACKEND_AWAY}
          and last.at > coalesce(b.answered_at, '-infinity'))
        from session s left join backend b on b.id = s.backend
        left join lateral (select h.reason, h.at from message_history h where h.message_id = ${id}
          order by h.id desc limit 1) last on true
        where s.id = ${sessionId} and s.agency_id = ${agencyId} and s.tenant_id = ${tenantId}), false)
        as "isBackendAway"`;
  return isBackendAway ? whileAway(plan) : plan;
}

/** The plan of a message whose backend is away. */
export function whileAway(plan: Plan): Plan {
  return SOON.includes(plan.rule) ? { sendAt: null, rule: BACKEND_AWAY } : plan;
}
