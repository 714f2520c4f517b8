import type { HttpResult } from './exchange.ts';

/** The failures to connect, one after the other, after which a server is left alone for a while. */
const FAILS = 5;
const PAUSE_MS = 2_000;

const NO_CONNECTION: ReadonlySet<string> = new Set(['connection_refused', 'connect_timeout', 'dns_error']);

/** Tells how a call ended for the server: no connection to it, an answer or a break, or nothing about it. */
function verdictOf(result: HttpResult): 'away' | 'there' | 'unknown' {
  if (result.kind === 'answer' || result.written) return 'there';
  return NO_CONNECTION.has(result.cause) ? 'away' : 'unknown';
}

/**
 * Keeps calls from a server that takes no connection, so that they fail at once instead of waiting for one each. After a
 * pause one call is let through; once it gets a connection, all are.
 */
export function createBreaker(now: () => number = () => performance.now()) {
  let fails = 0;
  let closedUntil = 0;

  return {
    /** True when a call may be made. */
    admits(): boolean {
      if (fails < FAILS) return true;
      if (now() < closedUntil) return false;
      // This call is the one that finds out; the others wait for its end, or for another pause.
      closedUntil = now() + PAUSE_MS;
      return true;
    },
    note(result: HttpResult): void {
      const verdict = verdictOf(result);
      if (verdict === 'there') fails = 0;
      if (verdict !== 'away') return;
      fails += 1;
      if (fails >= FAILS) closedUntil = now() + PAUSE_MS;
    },
  };
}
export type Breaker = ReturnType<typeof createBreaker>;
