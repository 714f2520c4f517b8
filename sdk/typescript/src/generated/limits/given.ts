// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Fields that are left out stay as they are; null is the default again. */
export interface UpdateLimits {
  /** Units a minute that requests of each of its keys may cost; 0 is no limit. */
  keyRatePerMinute?: number | null | undefined;
  /** Units that requests of each of its keys may cost at once after a quiet time. */
  keyRateBurst?: number | null | undefined;
  /** Units a minute that requests of all its keys together may cost; 0 is no limit. */
  ratePerMinute?: number | null | undefined;
  /** Units that requests of all its keys together may cost at once after a quiet time. */
  rateBurst?: number | null | undefined;
  /** Tokens a day that models may use for all its tenants together; 0 is no limit. */
  tokensPerDay?: number | null | undefined;
  /** What that may cost a day, in the currency of LLM_MODELS; 0 is no limit. */
  costPerDay?: number | null | undefined;
  /** Tokens a day that models may use for each tenant, whatever its persona says; 0 is no limit. */
  tenantTokensPerDay?: number | null | undefined;
  /** What that may cost a day; 0 is no limit. */
  tenantCostPerDay?: number | null | undefined;
  /** How many tenants it may have; 0 is no limit. */
  tenants?: number | null | undefined;
  /** How many runs of automations it may have at a time; 0 is no limit. */
  automationsRunning?: number | null | undefined;
  /** How many runs of automations may begin in a minute; 0 is no limit. */
  automationsPerMinute?: number | null | undefined;
  /** How many times the usual share it has where agencies compete: dispatches, attachments, webhooks, rehearsals. */
  share?: number | null | undefined;
}
