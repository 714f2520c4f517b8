/** Pauses that grow with each failure. They keep no state, because a workflow may carry a pause into its next run. */
export interface Pauses {
  readonly firstMs: number;
  /** The pause that follows this one. */
  next: (pauseMs: number) => number;
  /** The pause after this many others. */
  after: (pauses: number) => number;
}

/** Each pause is twice as long as the one before, up to `toMs`. */
export function pauses({ fromMs, toMs }: { fromMs: number; toMs: number }): Pauses {
  return {
    firstMs: fromMs,
    next: (pauseMs) => Math.min(pauseMs * 2, toMs),
    after: (count) => Math.min(fromMs * 2 ** count, toMs),
  };
}
