/**
 * The ladder of webhook retries: delay before each attempt in milliseconds, 12 attempts in about 75.6 hours.
 * The early steps serve chat bots, the long tail a receiver that is down for a weekend.
 */
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const RETRY_LADDER_MS: readonly number[] = [
  0,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

const JITTER = 0.2;

/** `random` in [0, 1). Null when the ladder is used up. */
export function nextRetryDelayMs(attemptsMade: number, random: number, ladder = RETRY_LADDER_MS): number | null {
  const base = ladder[attemptsMade];
  if (base === undefined) return null;
  return Math.round(base * (1 - JITTER + 2 * JITTER * random));
}

/** How an attempt ended; the name is what the dashboard sees in the attempt log. */
export type AttemptClass =
  | 'delivered'
  | 'redirect_not_followed'
  | 'client_error'
  | 'server_error'
  | 'gone'
  | 'throttled'
  | 'timeout'
  | 'dns_error'
  | 'connection_refused'
  | 'connection_reset'
  | 'network_unreachable'
  | 'tls_error'
  | 'blocked_address'
  | 'network_error'
  /** The engine's own trouble: the endpoint's secret was sealed with another key. */
  | 'secret_unreadable';

export function classifyStatus(status: number): AttemptClass {
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 410) return 'gone';
  if (status === 429) return 'throttled';
  if (status >= 300 && status < 400) return 'redirect_not_followed';
  return status >= 500 ? 'server_error' : 'client_error';
}
