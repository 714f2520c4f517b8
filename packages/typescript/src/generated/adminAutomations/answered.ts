// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Whose automations are stopped, by whom and why. */
export interface AutomationStops {
  /** False if it was already so. */
  hasChanged: boolean;
  /** What stops automations now. */
  stops: {
    /** The agency. Null if it applies to all. */
    agencyId: string | null;
    /** Whether a request did it, or the setting `AUTOMATIONS`. */
    stoppedBy: 'operator' | 'configuration';
    /** When. */
    stoppedAt: string;
    /** Who did it, by the name that they gave. */
    actor: string | null;
    /** The reason that they gave. */
    reason: string | null;
  }[];
}

export interface AdminAutomationsListAnswer {
  /** What stops automations now. */
  stops: {
    /** The agency. Null if it applies to all. */
    agencyId: string | null;
    /** Whether a request did it, or the setting `AUTOMATIONS`. */
    stoppedBy: 'operator' | 'configuration';
    /** When. */
    stoppedAt: string;
    /** Who did it, by the name that they gave. */
    actor: string | null;
    /** The reason that they gave. */
    reason: string | null;
  }[];
}
