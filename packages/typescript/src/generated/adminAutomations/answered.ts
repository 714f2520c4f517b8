// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The agency whose automations are stopped, the person and the reason. */
export interface AutomationStops {
  /** False if it was already so. */
  hasChanged: boolean;
  /** The stops of automations in effect. */
  stops: {
    /** The agency. Null if it applies to all. */
    agencyId: string | null;
    /** Whether a request did it, or the setting `AUTOMATIONS`. */
    stoppedBy: 'operator' | 'configuration';
    /** When. */
    stoppedAt: string;
    /** The name that the person gave. */
    actor: string | null;
    /** The reason that they gave. */
    reason: string | null;
  }[];
}

export interface AdminAutomationsListAnswer {
  /** The stops of automations in effect. */
  stops: {
    /** The agency. Null if it applies to all. */
    agencyId: string | null;
    /** Whether a request did it, or the setting `AUTOMATIONS`. */
    stoppedBy: 'operator' | 'configuration';
    /** When. */
    stoppedAt: string;
    /** The name that the person gave. */
    actor: string | null;
    /** The reason that they gave. */
    reason: string | null;
  }[];
}
