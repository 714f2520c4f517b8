// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The data of the frame `end`, the last one. */
export interface StreamEnd {
  /** Why the stream ends. */
  reason:
    | 'stopping'
    | 'unauthorized'
    | 'forbidden'
    | 'dashboard_suspended'
    | 'cursor_expired'
    | 'cursor_invalid'
    | 'internal';
}
