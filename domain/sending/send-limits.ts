import { z } from 'zod';

/** The most sends in flight at a time, over all processes. */
export const SendLimits = z.object({
  perSession: z.int().min(1).max(1_000),
  perBackend: z.int().min(1).max(100_000),
});
export type SendLimits = z.infer<typeof SendLimits>;
