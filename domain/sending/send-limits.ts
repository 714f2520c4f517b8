import { z } from 'zod';

/** How many sends may be in flight at a time, counted over all processes. */
export const SendLimits = z.object({
  perSession: z.int().min(1).max(1_000),
  perBackend: z.int().min(1).max(100_000),
});
export type SendLimits = z.infer<typeof SendLimits>;
