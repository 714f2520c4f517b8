// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Where a session moves to, and who says so. */
export interface MoveSession {
  /** The id of the backend that the session moves to. */
  backend: string;
  /** Who decides, for the audit. */
  actor?: string | undefined;
  /** Why, for the audit. */
  reason?: string | undefined;
}
