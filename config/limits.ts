import { z } from 'zod';
import { setting, yesOrNo } from './forms.ts';
import { Limits } from '../domain/tenants/limits.ts';

const GIBIBYTE = 1_024 ** 3;

/** The settings of what every agency may use, unless an operator has set something else for it. */
export const limitSettings = {
  apiRatePerMinute: setting(
    'API_RATE_PER_MINUTE',
    'Units of one key in a minute; 0 means no limit. Most requests cost one unit.',
    z.coerce.number().pipe(Limits.shape.keyRatePerMinute).default(600),
  ),
  apiRateBurst: setting(
    'API_RATE_BURST',
    'Units of one key at once after a quiet time.',
    z.coerce.number().pipe(Limits.shape.keyRateBurst).default(100),
  ),
  apiRatePerMinuteOfAgency: setting(
    'API_RATE_PER_MINUTE_OF_AGENCY',
    'Units of all keys of an agency in a minute; 0 means no limit.',
    z.coerce.number().pipe(Limits.shape.ratePerMinute).default(6_000),
  ),
  apiRateBurstOfAgency: setting(
    'API_RATE_BURST_OF_AGENCY',
    'Units of all keys of an agency at once after a quiet time.',
    z.coerce.number().pipe(Limits.shape.rateBurst).default(1_000),
  ),
  aiTokensPerDayOfAgency: setting(
    'AI_TOKENS_PER_DAY_OF_AGENCY',
    'Tokens of an agency in a day; 0 means no limit.',
    z.coerce.number().pipe(Limits.shape.tokensPerDay).default(50_000_000),
  ),
  aiCostPerDayOfAgency: setting(
    'AI_COST_PER_DAY_OF_AGENCY',
    'Cost of models for an agency in a day, in the currency of LLM_MODELS; 0 means no limit.',
    z.coerce.number().pipe(Limits.shape.costPerDay).default(0),
  ),
  aiTokensPerDayOfTenant: setting(
    'AI_TOKENS_PER_DAY_OF_TENANT',
    'Tokens of a tenant in a day, above its persona; 0 means no limit.',
    z.coerce.number().pipe(Limits.shape.tenantTokensPerDay).default(5_000_000),
  ),
  aiCostPerDayOfTenant: setting(
    'AI_COST_PER_DAY_OF_TENANT',
    'Cost of models for a tenant in a day; 0 means no limit.',
    z.coerce.number().pipe(Limits.shape.tenantCostPerDay).default(0),
  ),
  tenantsOfAgency: setting(
    'TENANTS_OF_AGENCY',
    'Tenants of an agency; 0 means no limit.',
    z.coerce.number().pipe(Limits.shape.tenants).default(1_000),
  ),
  storageBytesOfAgency: setting(
    'STORAGE_BYTES_OF_AGENCY',
    'Stored bytes of an agency; 0 means no limit.',
    z.coerce
      .number()
      .pipe(Limits.shape.storageBytes)
      .default(200 * GIBIBYTE),
  ),
  storageBytesOfTenant: setting(
    'STORAGE_BYTES_OF_TENANT',
    'Stored bytes of a tenant; 0 means no limit.',
    z.coerce
      .number()
      .pipe(Limits.shape.tenantStorageBytes)
      .default(20 * GIBIBYTE),
  ),
  storageMinFreePercent: setting(
    'STORAGE_MIN_FREE_PERCENT',
    'The engine refuses uploads below this share of free space on the disk of DATA_DIR, in percent; 0 means no limit. A bucket has no such limit.',
    z.coerce.number().pipe(z.number().min(0).max(100)).default(10),
  ),
  automationsRunningOfAgency: setting(
    'AUTOMATIONS_RUNNING_OF_AGENCY',
    'Concurrent runs of automations of an agency; 0 means no limit.',
    z.coerce.number().pipe(Limits.shape.automationsRunning).default(10_000),
  ),
  automationsPerMinuteOfAgency: setting(
    'AUTOMATIONS_PER_MINUTE_OF_AGENCY',
    'Runs of automations of an agency that start in a minute; 0 means no limit.',
    z.coerce.number().pipe(Limits.shape.automationsPerMinute).default(1_200),
  ),
  automations: setting(
    'AUTOMATIONS',
    'With `false`, no automation of any agency starts or continues.',
    yesOrNo.default(true),
  ),
};
