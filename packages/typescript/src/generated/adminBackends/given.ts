// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The new backend of a session, and the person who moves it. */
export interface MoveSession {
  /** The id of the backend that the session moves to. */
  backend: string;
  /** The person who decides, for the audit log. */
  actor?: string | undefined;
  /** Why, for the audit. */
  reason?: string | undefined;
}
