// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { Turn } from '../shared/answered.ts';

export interface AgentTurnsListAnswer {
  /** The turns of this page. */
  turns: Turn[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}
