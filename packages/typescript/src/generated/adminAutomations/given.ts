// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Whose automations to stop or restart, who does it and why. */
export interface SwitchAutomations {
  /** The agency. If omitted, the automations of all agencies. */
  agencyId?: string | undefined;
  /** Who decides, for the audit. */
  actor?: string | undefined;
  /** The reason, for the audit. */
  reason?: string | undefined;
}
