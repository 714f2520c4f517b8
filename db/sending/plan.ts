import { sql } from 'kysely';
import { z } from 'zod';
import { PLAN_RULES } from '../../domain/sending/plan.ts';
import type { Plan } from '../../domain/sending/plan.ts';
import type { Queries } from '../tx.ts';
import type { Message } from '../conversations/message.ts';

const Planned = z.object({
  sendAt: z.coerce.date().nullable(),
  rule: z.enum(PLAN_RULES),
  expiresBefore: z.literal(true).optional(),
});

/** Parses what `plan_of` answers, with the time as callers get it. */
export function parsePlan(value: unknown): Plan {
  const { sendAt, ...plan } = Planned.parse(value);
  return { sendAt: sendAt?.toISOString() ?? null, ...plan };
}

/** When a message that waits is likely to go out; null for one that does not wait. */
export async function findPlan(queries: Queries, { id, status }: Pick<Message, 'id' | 'status'>): Promise<Plan | null> {
  if (status !== 'queued' && status !== 'scheduled') return null;
  const { rows } = await sql<{ plan: unknown }>`select plan_of(${id}, ${queries.now}) as plan`.execute(queries.sql);
  return parsePlan(rows[0]?.plan);
}
