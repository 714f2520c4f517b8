import { z } from 'zod';
import { setting, yesOrNo } from './forms.ts';
import { Limits } from '../domain/tenants/limits.ts';

const GIBIBYTE = 1_024 ** 3;

/** The settings of what every agency may use, unless an operator has set something else for it. */
export const limitSettings = {
  apiRatePerMinute: setting(
    'API_RATE_PER_MINUTE',
    'How many units the requests of one key may cost in a minute, in all processes together; 0 means no limit. Most requests cost one.',
    z.coerce.number().pipe(Limits.shape.keyRatePerMinute).default(600),
  ),
  apiRateBurst: setting(
    'API_RATE_BURST',
    'How many units the requests of one key may cost at once after a quiet time.',
    z.coerce.number().pipe(Limits.shape.keyRateBurst).default(100),
  ),
  apiRatePerMinuteOfAgency: setting(
    'API_RATE_PER_MINUTE_OF_AGENCY',
    'How many units the requests of all keys of an agency together may cost in a minute; 0 means no limit.',
    z.coerce.number().pipe(Limits.shape.ratePerMinute).default(6_000),
  ),
  apiRateBurstOfAgency: setting(
    'API_RATE_BURST_OF_AGENCY',
    'How many units the requests of all keys of an agency may cost at once after a quiet time.',
    z.coerce.number().pipe(Limits.shape.rateBurst).default(1_000),
  ),
  aiTokensPerDayOfAgency: setting(
    'AI_TOKENS_PER_DAY_OF_AGENCY',
    'How many tokens models may use in a day for all tenants of an agency together; 0 means no limit.',
    z.coerce.number().pipe(Limits.shape.tokensPerDay).default(50_000_000),
  ),
  aiCostPerDayOfAgency: setting(
    'AI_COST_PER_DAY_OF_AGENCY',
    'How much models may cost in a day for all tenants of an agency together, in the currency of LLM_MODELS; 0 means no limit.',
    z.coerce.number().pipe(Limits.shape.costPerDay).default(0),
  ),
  aiTokensPerDayOfTenant: setting(
    'AI_TOKENS_PER_DAY_OF_TENANT',
    'How many tokens models may use in a day for one tenant, whatever its persona says; 0 means no limit.',
    z.coerce.number().pipe(Limits.shape.tenantTokensPerDay).default(5_000_000),
  ),
  aiCostPerDayOfTenant: setting(
    'AI_COST_PER_DAY_OF_TENANT',
    'How much models may cost in a day for one tenant; 0 means no limit.',
    z.coerce.number().pipe(Limits.shape.tenantCostPerDay).default(0),
  ),
  tenantsOfAgency: setting(
    'TENANTS_OF_AGENCY',
    'How many tenants an agency may have; 0 means no limit.',
    z.coerce.number().pipe(Limits.shape.tenants).default(1_000),
  ),
  storageBytesOfAgency: setting(
    'STORAGE_BYTES_OF_AGENCY',
    'How many bytes of files all tenants of an agency together may store; 0 means no limit.',
    z.coerce
      .number()
      .pipe(Limits.shape.storageBytes)
      .default(200 * GIBIBYTE),
  ),
  storageBytesOfTenant: setting(
    'STORAGE_BYTES_OF_TENANT',
    'How many bytes of files each tenant may store; 0 means no limit.',
    z.coerce
      .number()
      .pipe(Limits.shape.tenantStorageBytes)
      .default(20 * GIBIBYTE),
  ),
  storageMinFreePercent: setting(
    'STORAGE_MIN_FREE_PERCENT',
    'Uploads are refused while the disk of DATA_DIR has less free space than this share, in percent; 0 means no limit. A bucket has no such limit.',
    z.coerce.number().pipe(z.number().min(0).max(100)).default(10),
  ),
  automationsRunningOfAgency: setting(
    'AUTOMATIONS_RUNNING_OF_AGENCY',
    'How many runs of automations an agency may have at a time; 0 means no limit.',
    z.coerce.number().pipe(Limits.shape.automationsRunning).default(10_000),
  ),
  automationsPerMinuteOfAgency: setting(
    'AUTOMATIONS_PER_MINUTE_OF_AGENCY',
    'How many runs of automations of an agency may begin in a minute; 0 means no limit.',
    z.coerce.number().pipe(Limits.shape.automationsPerMinute).default(1_200),
  ),
  automations: setting(
    'AUTOMATIONS',
    'With `false`, no automation of any agency begins or takes a further step.',
    yesOrNo.default(true),
  ),
};
