import { EngineError } from '../error.ts';
import { PRIORITY } from '../names.ts';

/** The classes of sends that come through the API, the most urgent first. */
export type SendClass = 'person' | 'api' | 'bulk';

/** Since when the oldest work of each priority waits that nobody has started, in seconds. */
export type Backlog = readonly { priority: number; seconds: number }[];

/**
 * The age of the oldest waiting work of a priority from which sends of that priority, and of less urgent ones, are
 * refused. Bulk comes first and people's replies last, because a person who waits for the button writes again.
 */
const BOUNDS: readonly { priority: number; seconds: number; refused: readonly SendClass[] }[] = [
  { priority: PRIORITY.reply, seconds: 600, refused: ['bulk', 'api', 'person'] },
  { priority: PRIORITY.api, seconds: 180, refused: ['bulk', 'api'] },
  { priority: PRIORITY.ai, seconds: 180, refused: ['bulk'] },
  { priority: PRIORITY.automation, seconds: 60, refused: ['bulk'] },
];

const RETRY_AFTER_SECONDS = 15;

/** Throws `overloaded` for a send whose class has to wait until older work is done. */
export function refuseWhenBehind(backlog: Backlog, sendClass: SendClass): void {
  const isBehind = BOUNDS.some(
    ({ priority, seconds, refused }) =>
      refused.includes(sendClass) && backlog.some((each) => each.priority === priority && each.seconds > seconds),
  );
  if (!isBehind) return;
  throw new EngineError('overloaded', 'The engine is behind with earlier sends, so it accepts no more of these now.', {
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    retryAfterMs: RETRY_AFTER_SECONDS * 1_000,
  });
}
