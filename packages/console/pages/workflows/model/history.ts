import type { Json } from './json.ts';

/** The states of a definition, for undo. Each state is a value of its own, so keeping it costs only what changed. */
export interface History {
  past: readonly Json[];
  now: Json;
  future: readonly Json[];
  /** The field that the last change wrote: typing on in it is one change. */
  field: string | null;
}

const MAX_STATES = 200;

export const beginHistory = (now: Json): History => ({ past: [], now, future: [], field: null });

export const changed = (history: History, now: Json, field: string | null): History => {
  if (now === history.now) return history;
  const isTypingOn = field !== null && field === history.field;
  const past = isTypingOn ? history.past : [...history.past, history.now].slice(-MAX_STATES);
  return { past, now, future: [], field };
};

export const undone = (history: History): History => {
  const now = history.past.at(-1);
  if (now === undefined) return history;
  return { past: history.past.slice(0, -1), now, future: [history.now, ...history.future], field: null };
};

export const redone = (history: History): History => {
  const [now, ...future] = history.future;
  if (now === undefined) return history;
  return { past: [...history.past, history.now], now, future, field: null };
};
