import { z } from 'zod';

/** The range of an attempt's timeout, for an endpoint's own timeout and for the configured default. */
export const AttemptTimeoutMs = z
  .int()
  .min(1_000)
  .max(30_000)
  .meta({ description: 'The time limit from the first byte sent to the last byte received.' });
