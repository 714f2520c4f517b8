// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The limits of an agency, and what is in effect now. */
export interface AgencyLimits {
  /** The agency. */
  agencyId: string;
  /** The limits that an operator has set for this agency. */
  own: {
    /** Cost units per minute that requests of each of its keys may use. 0 means no limit. */
    keyRatePerMinute?: number;
    /** Cost units that requests of each of its keys may use at once after a quiet time. */
    keyRateBurst?: number;
    /** Cost units per minute that requests of all its keys together may use. 0 means no limit. */
    ratePerMinute?: number;
    /** Cost units that requests of all its keys together may use at once after a quiet time. */
    rateBurst?: number;
    /** Tokens a day that models may use for all its tenants together. 0 means no limit. */
    tokensPerDay?: number;
    /** The maximum cost a day, in the currency of LLM_MODELS. 0 means no limit. */
    costPerDay?: number;
    /** Tokens a day that models may use for each tenant, whatever its persona says. 0 means no limit. */
    tenantTokensPerDay?: number;
    /** The maximum cost a day. 0 means no limit. */
    tenantCostPerDay?: number;
    /** How many tenants it may have. 0 means no limit. */
    tenants?: number;
    /** Bytes of files that all its tenants together may store. 0 means no limit. */
    storageBytes?: number;
    /** Bytes of files that each tenant may store. 0 means no limit. */
    tenantStorageBytes?: number;
    /** How many runs of automations it may have at a time. 0 means no limit. */
    automationsRunning?: number;
    /** How many runs of automations may begin in a minute. 0 means no limit. */
    automationsPerMinute?: number;
    /** A factor for its usual share when agencies compete: dispatches, attachments, webhooks, rehearsals. */
    share?: number;
  };
  /** The limits in effect now, including the engine's own configuration. */
  effective: {
    /** Cost units per minute that requests of each of its keys may use. 0 means no limit. */
    keyRatePerMinute: number;
    /** Cost units that requests of each of its keys may use at once after a quiet time. */
    keyRateBurst: number;
    /** Cost units per minute that requests of all its keys together may use. 0 means no limit. */
    ratePerMinute: number;
    /** Cost units that requests of all its keys together may use at once after a quiet time. */
    rateBurst: number;
    /** Tokens a day that models may use for all its tenants together. 0 means no limit. */
    tokensPerDay: number;
    /** The maximum cost a day, in the currency of LLM_MODELS. 0 means no limit. */
    costPerDay: number;
    /** Tokens a day that models may use for each tenant, whatever its persona says. 0 means no limit. */
    tenantTokensPerDay: number;
    /** The maximum cost a day. 0 means no limit. */
    tenantCostPerDay: number;
    /** How many tenants it may have. 0 means no limit. */
    tenants: number;
    /** Bytes of files that all its tenants together may store. 0 means no limit. */
    storageBytes: number;
    /** Bytes of files that each tenant may store. 0 means no limit. */
    tenantStorageBytes: number;
    /** How many runs of automations it may have at a time. 0 means no limit. */
    automationsRunning: number;
    /** How many runs of automations may begin in a minute. 0 means no limit. */
    automationsPerMinute: number;
    /** A factor for its usual share when agencies compete: dispatches, attachments, webhooks, rehearsals. */
    share: number;
  };
  /** Bytes of files that its tenants store together. Recent changes may take minutes to count. */
  storedBytes: number;
}
