import { z } from 'zod';
import { explained } from '../explained.ts';

/** The rules that decide when a message may go, as `plan.rule` and `held_by` name them. */
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

const RULE_TEXTS: Readonly<Record<(typeof PLAN_RULES)[number], string>> = {
  now: 'Nothing holds it: it goes out at once.',
  scheduled: 'It waits for its `sendAt`.',
  queue: 'It waits behind another message of its conversation.',
  pace: 'It waits for the pace of its session.',
  first_contacts: 'The session has opened as many conversations today as it may, so it waits for the next day.',
  quiet_hours: "It waits for the end of the tenant's quiet hours.",
  restricted: 'The network does not let the account open conversations for now.',
  session_not_working: 'It waits until its session works again.',
  suspended: 'It waits until the dashboard is active again.',
};
export const PlanRule = z
  .enum(PLAN_RULES)
  .meta({ description: explained('What decides when it goes out.', RULE_TEXTS) });

export const Plan = z
  .object({
    sendAt: z.iso.datetime().nullable().meta({
      description: 'An estimate: when the message is likely to go out. Null where nobody knows.',
    }),
    rule: PlanRule,
    expiresBefore: z.literal(true).optional().meta({
      description: 'The message is likely to expire first: it needs a later `expiresAt`.',
    }),
  })
  .meta({ id: 'Plan', description: 'When a message that waits is likely to go out, and what decides it.' });
export type Plan = z.infer<typeof Plan>;
