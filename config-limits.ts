import { z } from 'zod';
import { setting } from './config-forms.ts';
import { Limits } from './domain/tenants/limits.ts';

/** The settings of what every agency may use, unless an operator has set something else for it. */
export const limitSettings = {
  apiRatePerMinute: setting(
    'API_RATE_PER_MINUTE',
    'Units a minute that the requests of one key may cost, in all processes together; 0 is no limit. Most requests cost one.',
    z.coerce.number().pipe(Limits.shape.keyRatePerMinute).default(600),
  ),
  apiRateBurst: setting(
    'API_RATE_BURST',
    'Units that they may cost at once after a quiet time.',
    z.coerce.number().pipe(Limits.shape.keyRateBurst).default(100),
  ),
  apiRatePerMinuteOfAgency: setting(
    'API_RATE_PER_MINUTE_OF_AGENCY',
    'The same for all keys of an agency together.',
    z.coerce.number().pipe(Limits.shape.ratePerMinute).default(6_000),
  ),
  apiRateBurstOfAgency: setting(
    'API_RATE_BURST_OF_AGENCY',
    'Units that they may cost at once after a quiet time.',
    z.coerce.number().pipe(Limits.shape.rateBurst).default(1_000),
  ),
};
