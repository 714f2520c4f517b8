import { z } from 'zod';

export const MAX_HANDOFF_REASON = 300;

/** The agent's decision about the messages of a turn. The model has no other way to act. */
export const TurnDecision = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('reply'), text: z.string().min(1) }),
  z.object({ outcome: z.literal('silence') }),
  z.object({
    outcome: z.literal('handoff'),
    reason: z.string().max(MAX_HANDOFF_REASON),
    /** The words to the contact before a person takes over; null says nothing. */
    text: z.string().min(1).nullable(),
  }),
]);
export type TurnDecision = z.infer<typeof TurnDecision>;
