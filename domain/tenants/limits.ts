import { z } from 'zod';
import type { Rate } from '../rate.ts';

const perMinute = (whose: string) =>
  z
    .int()
    .min(0)
    .max(1_000_000)
    .meta({ description: `Cost units per minute that requests ${whose} may use. 0 means no limit.`, example: 600 });
const burst = (whose: string) =>
  z
    .int()
    .min(1)
    .max(1_000_000)
    .meta({ description: `Cost units that requests ${whose} may use at once after a quiet time.`, example: 100 });

const ceiling = (what: string) =>
  z
    .int()
    .min(0)
    .max(1e12)
    .meta({ description: `${what}. 0 means no limit.`, example: 5_000_000 });
const count = (what: string) =>
  z
    .int()
    .min(0)
    .max(1_000_000)
    .meta({ description: `${what}. 0 means no limit.` });
const bytes = (what: string) =>
  z
    .int()
    .min(0)
    .max(1e15)
    .meta({ description: `${what}. 0 means no limit.` });
const GIBIBYTE = 1_024 ** 3;
const money = (what: string) =>
  z
    .number()
    .min(0)
    .max(1e9)
    .meta({ description: `${what}. 0 means no limit.`, example: 20 });

/** An agency's limits. The configuration sets each of them, and an operator may change it for one agency. */
export const Limits = z.object({
  keyRatePerMinute: perMinute('of each of its keys'),
  keyRateBurst: burst('of each of its keys'),
  ratePerMinute: perMinute('of all its keys together'),
  rateBurst: burst('of all its keys together'),
  tokensPerDay: ceiling('Tokens a day that models may use for all its tenants together'),
  costPerDay: money('The maximum cost a day, in the currency of LLM_MODELS'),
  tenantTokensPerDay: ceiling('Tokens a day that models may use for each tenant, whatever its persona says'),
  tenantCostPerDay: money('The maximum cost a day'),
  tenants: count('How many tenants it may have').meta({ example: 1_000 }),
  storageBytes: bytes('Bytes of files that all its tenants together may store').meta({ example: 200 * GIBIBYTE }),
  tenantStorageBytes: bytes('Bytes of files that each tenant may store').meta({ example: 20 * GIBIBYTE }),
  automationsRunning: count('How many runs of automations it may have at a time').meta({ example: 10_000 }),
  automationsPerMinute: count('How many runs of automations may begin in a minute').meta({ example: 600 }),
  share: z.number().min(0.1).max(10).meta({
    description: 'A factor for its usual share when agencies compete: dispatches, attachments, webhooks, rehearsals.',
    example: 1,
  }),
});
export type Limits = z.infer<typeof Limits>;

/** The limits of an agency that differ from the engine's, as they are stored. */
export const OwnLimits = Limits.partial().refine(isSet);
export type OwnLimits = z.infer<typeof OwnLimits>;

/** Tells that each field present is set, which is always so, because JSON has no undefined. */
function isSet(fields: { [Field in keyof Limits]?: Limits[Field] | undefined }): fields is Partial<Limits> {
  return Object.values(fields).every((field) => field !== undefined);
}

export const UpdateLimits = z
  .strictObject({
    ...z
      .object({
        keyRatePerMinute: Limits.shape.keyRatePerMinute.nullable(),
        keyRateBurst: Limits.shape.keyRateBurst.nullable(),
        ratePerMinute: Limits.shape.ratePerMinute.nullable(),
        rateBurst: Limits.shape.rateBurst.nullable(),
        tokensPerDay: Limits.shape.tokensPerDay.nullable(),
        costPerDay: Limits.shape.costPerDay.nullable(),
        tenantTokensPerDay: Limits.shape.tenantTokensPerDay.nullable(),
        tenantCostPerDay: Limits.shape.tenantCostPerDay.nullable(),
        tenants: Limits.shape.tenants.nullable(),
        storageBytes: Limits.shape.storageBytes.nullable(),
        tenantStorageBytes: Limits.shape.tenantStorageBytes.nullable(),
        automationsRunning: Limits.shape.automationsRunning.nullable(),
        automationsPerMinute: Limits.shape.automationsPerMinute.nullable(),
        share: Limits.shape.share.nullable(),
      })
      .partial().shape,
  })
  .meta({ id: 'UpdateLimits', description: 'Omitted fields stay unchanged; null restores the default.' });
export type LimitsChange = z.infer<typeof UpdateLimits>;

export const LimitsView = z
  .object({
    agencyId: z.string().meta({ description: 'The agency.', example: 'demo' }),
    own: OwnLimits.meta({ description: 'The limits that an operator has set for this agency.' }),
    effective: Limits.meta({ description: "The limits in effect now, including the engine's own configuration." }),
    storedBytes: z.number().meta({
      description: 'Bytes of files that its tenants store together. Recent changes may take minutes to count.',
      example: 1_048_576,
    }),
  })
  .meta({ id: 'AgencyLimits', description: 'The limits of an agency, and what is in effect now.' });

export function effectiveLimits(own: OwnLimits, standard: Limits): Limits {
  return { ...standard, ...own };
}

export function rateOfKey({ keyRatePerMinute, keyRateBurst }: Limits): Rate {
  return { perMinute: keyRatePerMinute, burst: keyRateBurst };
}

export function rateOfAgency({ ratePerMinute, rateBurst }: Limits): Rate {
  return { perMinute: ratePerMinute, burst: rateBurst };
}
