import { z } from 'zod';
import { explained } from '../explained.ts';

/** The rules that decide when a message may go, as a plan is made of them and `held_by` stores them. */
export const PLAN_RULES = [
  'now',
  'scheduled',
  'queue',
  'pace',
  'first_contacts',
  'quiet_hours',
  'restricted',
  'session_not_working',
  'suspended',
] as const;

/**
 * The shown reason of a waiting message while its backend is unavailable. Neither a plan nor a row stores it, because
 * it may end at any moment. Each read of the status finds it anew.
 */
export const BACKEND_AWAY = 'backend_unavailable';
const SHOWN_RULES = [...PLAN_RULES, BACKEND_AWAY] as const;

const RULE_TEXTS: Readonly<Record<(typeof SHOWN_RULES)[number], string>> = {
  now: 'Nothing holds it: it goes out immediately.',
  scheduled: 'It waits for its `sendAt`.',
  queue: 'It waits behind another message of its conversation.',
  pace: 'It waits for the pace of its session.',
  first_contacts: 'The session has opened as many conversations today as it may, so it waits for the next day.',
  quiet_hours: "It waits for the end of the tenant's quiet hours.",
  restricted: 'The network does not allow the account to open conversations for now.',
  session_not_working: 'It waits until its session works again.',
  suspended: 'It waits until the dashboard is active again.',
  backend_unavailable: 'It waits until the messaging backend responds again.',
};
export const PlanRule = z
  .enum(SHOWN_RULES)
  .meta({ description: explained('The rule that decides when it goes out.', RULE_TEXTS) });

export const Plan = z
  .object({
    sendAt: z.iso.datetime().nullable().meta({
      description: 'An estimate of when the message goes out. Null if it is not known.',
    }),
    rule: PlanRule,
    expiresBefore: z.literal(true).optional().meta({
      description: 'The message is likely to expire first: it needs a later `expiresAt`.',
    }),
  })
  .meta({ id: 'Plan', description: 'When a waiting message is likely to go out, and what decides it.' });
export type Plan = z.infer<typeof Plan>;
