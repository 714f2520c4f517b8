// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { Execution } from './answered.ts';

export interface AutomationsListExecutionsAnswer {
  /** The runs of this page. */
  executions: Execution[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}

export interface AutomationsCancelByKeyAnswer {
  /** The run that was cancelled. Empty where none was under way. */
  cancelled: string[];
}
