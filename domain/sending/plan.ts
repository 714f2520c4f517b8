import { z } from 'zod';

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

export const Plan = z
  .object({
    sendAt: z.iso.datetime().nullable().meta({
      description: 'An estimate: when the message is likely to go out. Null where nobody knows.',
    }),
    rule: z.enum(PLAN_RULES).meta({ description: 'What decides it.' }),
    expiresBefore: z.literal(true).optional().meta({
      description: 'The message is likely to expire first: it needs a later `expiresAt`.',
    }),
  })
  .meta({ id: 'Plan' });
export type Plan = z.infer<typeof Plan>;
