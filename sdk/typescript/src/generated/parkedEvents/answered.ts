// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { ParkedEvent } from '../shared/answered-2.ts';

export interface ParkedEventsListAnswer {
  /** The events of this page. */
  events: ParkedEvent[];
  /** How many wait for an operator, of all sessions. */
  parked: number;
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}
