/** How a drain went. */
export interface Drained {
  delivered: number;
  failed: number;
  /** Milliseconds until there is something to do again; null when nothing is pending. */
  nextInMs: number | null;
  /** The endpoint gets nothing for now, whatever is written for it. */
  rests: boolean;
  /** Wake-ups from then on were not heard any more, by `performance.now()`. */
  lookedAtMs: number;
}
