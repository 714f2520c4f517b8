import { z } from 'zod';
import { PLAN_RULES } from '../../domain/sending/plan.ts';
import type { Plan } from '../../domain/sending/plan.ts';
import { Timestamp } from '../columns.ts';
import type { Queries } from '../tx.ts';
import { one } from '../rows.ts';
import type { Message } from '../conversations/message.ts';

/** The answer of `plan_of`, with its time as the API shows it. */
export const PlanOf = z
  .object({ sendAt: Timestamp.nullable(), rule: z.enum(PLAN_RULES), expiresBefore: z.literal(true).optional() })
  .transform(({ sendAt, ...plan }): Plan => ({ sendAt: sendAt?.toISOString() ?? null, ...plan }));

const Planned = z.object({ plan: PlanOf });

/** Estimates when a waiting message is likely to go out; null for a message that does not wait. */
export async function findPlan(queries: Queries, { id, status }: Pick<Message, 'id' | 'status'>): Promise<Plan | null> {
  if (status !== 'queued' && status !== 'scheduled') return null;
  const { plan } = await one(queries, Planned)`select plan_of(${id}, ${queries.now}) as plan`;
  return plan;
}
