// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { Turn } from '../shared/answered.ts';

export interface AgentTurnsListAnswer {
  /** The turns on this page. */
  turns: Turn[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
