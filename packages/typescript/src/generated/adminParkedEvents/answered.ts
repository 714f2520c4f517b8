// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { ParkedEvent } from '../shared/answered-2.ts';

export interface AdminParkedEventsListAnswer {
  /** The events of this page. */
  events: ParkedEvent[];
  /** How many events wait for an operator, across all sessions. */
  parked: number;
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
