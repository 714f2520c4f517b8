// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Whose automations are stopped or go on, and who says so and why. */
export interface SwitchAutomations {
  /** The agency. Automations of all agencies when left out. */
  agencyId?: string | undefined;
  /** Who decides, for the audit. */
  actor?: string | undefined;
  /** Why, for the audit. */
  reason?: string | undefined;
}
