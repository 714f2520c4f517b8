import type { Json } from '../json.ts';

/** The work for a thread: expressions to evaluate in one scope. `now` in the scope becomes a timestamp. */
export interface ToThread {
  expressions: readonly string[];
  scope: Readonly<Record<string, Json>>;
  maxBytes: number;
}

/** The answer of a thread: that it is loaded, the values, or the message of the first expression that failed. */
export type Answer = { loaded: true } | { values: Json[] } | { failed: string; place: number };
/** `cpuMs` is the CPU time of the thread since it began. */
export type FromThread = Answer & { cpuMs: number };
