// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The agency, the person and the reason for a stop or restart of automations. */
export interface SwitchAutomations {
  /** The agency. If omitted, the automations of all agencies. */
  agencyId?: string | undefined;
  /** The person who decides, for the audit log. */
  actor?: string | undefined;
  /** The reason, for the audit. */
  reason?: string | undefined;
}
