// Made from openapi.json by `npm run client`: change the routes, not this file.

/** What an agency may do in a minute, and what holds now. */
export interface AgencyLimits {
  /** The agency. */
  agencyId: string;
  /** What an operator has set for this agency. */
  own: {
    /** Units a minute that requests of each of its keys may cost; 0 is no limit. */
    keyRatePerMinute?: number;
    /** Units that requests of each of its keys may cost at once after a quiet time. */
    keyRateBurst?: number;
    /** Units a minute that requests of all its keys together may cost; 0 is no limit. */
    ratePerMinute?: number;
    /** Units that requests of all its keys together may cost at once after a quiet time. */
    rateBurst?: number;
    /** Tokens a day that models may use for all its tenants together; 0 is no limit. */
    tokensPerDay?: number;
    /** What that may cost a day, in the currency of LLM_MODELS; 0 is no limit. */
    costPerDay?: number;
    /** Tokens a day that models may use for each tenant, whatever its persona says; 0 is no limit. */
    tenantTokensPerDay?: number;
    /** What that may cost a day; 0 is no limit. */
    tenantCostPerDay?: number;
    /** How many tenants it may have; 0 is no limit. */
    tenants?: number;
    /** How many runs of automations it may have at a time; 0 is no limit. */
    automationsRunning?: number;
    /** How many runs of automations may begin in a minute; 0 is no limit. */
    automationsPerMinute?: number;
    /** How many times the usual share it has where agencies compete: dispatches, attachments, webhooks, rehearsals. */
    share?: number;
  };
  /** What holds now, the engine's own configuration included. */
  effective: {
    /** Units a minute that requests of each of its keys may cost; 0 is no limit. */
    keyRatePerMinute: number;
    /** Units that requests of each of its keys may cost at once after a quiet time. */
    keyRateBurst: number;
    /** Units a minute that requests of all its keys together may cost; 0 is no limit. */
    ratePerMinute: number;
    /** Units that requests of all its keys together may cost at once after a quiet time. */
    rateBurst: number;
    /** Tokens a day that models may use for all its tenants together; 0 is no limit. */
    tokensPerDay: number;
    /** What that may cost a day, in the currency of LLM_MODELS; 0 is no limit. */
    costPerDay: number;
    /** Tokens a day that models may use for each tenant, whatever its persona says; 0 is no limit. */
    tenantTokensPerDay: number;
    /** What that may cost a day; 0 is no limit. */
    tenantCostPerDay: number;
    /** How many tenants it may have; 0 is no limit. */
    tenants: number;
    /** How many runs of automations it may have at a time; 0 is no limit. */
    automationsRunning: number;
    /** How many runs of automations may begin in a minute; 0 is no limit. */
    automationsPerMinute: number;
    /** How many times the usual share it has where agencies compete: dispatches, attachments, webhooks, rehearsals. */
    share: number;
  };
}
