import type { ServerResponse } from 'node:http';

/**
 * Cuts an answer of which nothing moves for this long: a reader that does not read would hold for ever what stands
 * behind the answer.
 */
export function cutWhenIdle(response: ServerResponse, idleMs: number): void {
  response.setTimeout(idleMs, () => {
    response.destroy();
  });
}

/** Cuts an answer that has not ended in time. */
export function cutAfter(response: ServerResponse, withinMs: number): void {
  const timer = setTimeout(() => response.destroy(), withinMs);
  response.once('close', () => clearTimeout(timer));
}
