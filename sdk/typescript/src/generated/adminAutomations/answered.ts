// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Whose automations are stopped, by whom and why. */
export interface AutomationStops {
  /** False where it was so already. */
  hasChanged: boolean;
  /** What stops automations now. */
  stops: {
    /** The agency. Null where it holds for all. */
    agencyId: string | null;
    /** Whether somebody did it by a request, or the setting `AUTOMATIONS`. */
    stoppedBy: 'operator' | 'configuration';
    /** When. */
    stoppedAt: string;
    /** Who, by the name that was given. */
    actor: string | null;
    /** Why, as they said. */
    reason: string | null;
  }[];
}

export interface AdminAutomationsListAnswer {
  /** What stops automations now. */
  stops: {
    /** The agency. Null where it holds for all. */
    agencyId: string | null;
    /** Whether somebody did it by a request, or the setting `AUTOMATIONS`. */
    stoppedBy: 'operator' | 'configuration';
    /** When. */
    stoppedAt: string;
    /** Who, by the name that was given. */
    actor: string | null;
    /** Why, as they said. */
    reason: string | null;
  }[];
}
