// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Omitted fields stay unchanged; null restores the default. */
export interface UpdateLimits {
  /** Cost units per minute that requests of each of its keys may use. 0 means no limit. */
  keyRatePerMinute?: number | null | undefined;
  /** Cost units that requests of each of its keys may use at once after a quiet time. */
  keyRateBurst?: number | null | undefined;
  /** Cost units per minute that requests of all its keys together may use. 0 means no limit. */
  ratePerMinute?: number | null | undefined;
  /** Cost units that requests of all its keys together may use at once after a quiet time. */
  rateBurst?: number | null | undefined;
  /** Tokens a day that models may use for all its tenants together. 0 means no limit. */
  tokensPerDay?: number | null | undefined;
  /** The maximum cost a day, in the currency of LLM_MODELS. 0 means no limit. */
  costPerDay?: number | null | undefined;
  /** Tokens a day that models may use for each tenant, whatever its persona says. 0 means no limit. */
  tenantTokensPerDay?: number | null | undefined;
  /** The maximum cost a day. 0 means no limit. */
  tenantCostPerDay?: number | null | undefined;
  /** How many tenants it may have. 0 means no limit. */
  tenants?: number | null | undefined;
  /** Bytes of files that all its tenants together may store. 0 means no limit. */
  storageBytes?: number | null | undefined;
  /** Bytes of files that each tenant may store. 0 means no limit. */
  tenantStorageBytes?: number | null | undefined;
  /** How many runs of automations it may have at a time. 0 means no limit. */
  automationsRunning?: number | null | undefined;
  /** How many runs of automations may begin in a minute. 0 means no limit. */
  automationsPerMinute?: number | null | undefined;
  /** A factor for its usual share when agencies compete: dispatches, attachments, webhooks, rehearsals. */
  share?: number | null | undefined;
}
