// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The data of the frame `ready`: all that was there before has come. */
export interface StreamReady {
  /** The `id` of the frame, from which a pull may go on, too. */
  cursor: string;
}

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
