const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The ladder of webhook retries: delay before each attempt in milliseconds, 12 attempts in about 75.6 hours. The early
 * steps serve chat bots; the long tail serves a receiver that is down for a weekend.
 */
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

/**
 * The shortest pause before the fourth attempt and each later one: whoever has an endpoint chooses the ladder and the
 * address, which may be somebody else's.
 */
const SHORTEST_LATER_MS = SECOND;
const FIRST_LATER = 3;
const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = DAY;
/** An endpoint that answers 429 without Retry-After rests between once and twice this long. */
const THROTTLED_MS = 30 * SECOND;

/**
 * Returns the pause before the attempt of a step, with jitter from `random` in [0, 1); null when the ladder is used up.
 */
function nextRetryDelayMs(step: number, random: number, ladder = RETRY_LADDER_MS): number | null {
  const base = ladder[step];
  if (base === undefined) return null;
  const pause = Math.round(base * (1 - JITTER + 2 * JITTER * random));
  return step < FIRST_LATER ? pause : Math.max(pause, SHORTEST_LATER_MS);
}

/** The rules that follow from how an attempt ended. */
interface ClassRule {
  /** False when the fault is the engine's own: the delivery is then not charged an attempt and stays on its rung. */
  charged: boolean;
  /** True when the attempt counts towards the breaker and the disabling of the endpoint. */
  counts: boolean;
  /** The next attempt comes no sooner than this. */
  minDelayMs?: number;
  /** The receiver's Retry-After is obeyed when it is later than the ladder's next attempt. */
  retryAfter?: true;
  /** The receiver has answered this event, so a probe that was due costs the delivery a rung of its ladder. */
  answered?: true;
  /** All deliveries of the endpoint rest for this long, or for as long as the receiver asks. */
  rests?: number | 'as_asked';
  /** The endpoint gets half as many attempts at a time as before. */
  slows?: true;
  /**
   * The attempt is repeated at once when its connection had been used before, because that connection may have been
   * stale.
   */
  mayBeStale?: true;
  /** The receiver's address or handler is more likely wrong than down. */
  likelyConfiguration?: true;
}

const FAILURE = { charged: true, counts: true } as const;
const OURS = { charged: false, counts: false } as const;

/** The ways in which an attempt ends, with the consequences of each; a dashboard sees the name in the attempt log. */
export const ATTEMPT_CLASSES = {
  delivered: { charged: true, counts: false },
  redirect_not_followed: { ...FAILURE, answered: true, likelyConfiguration: true },
  /** Any 4xx without a class of its own. */
  client_error: { ...FAILURE, answered: true, likelyConfiguration: true },
  /** 408 and 425: the receiver is not ready for this request yet. */
  not_ready: { ...FAILURE, answered: true, retryAfter: true },
  /** 410: the receiver wants no more events. The endpoint is disabled, and its events are kept. */
  gone: FAILURE,
  /** 429 says nothing of the endpoint's health. */
  throttled: { charged: true, counts: false, answered: true, retryAfter: true, rests: 'as_asked', slows: true },
  /** Any 5xx without a class of its own. */
  server_error: { ...FAILURE, answered: true, retryAfter: true },
  /** 502, 504: something in front of the receiver cannot reach it. */
  gateway_error: { ...FAILURE, minDelayMs: MINUTE, slows: true },
  timeout: { ...FAILURE, minDelayMs: MINUTE },
  dns_error: { ...FAILURE, mayBeStale: true },
  connection_refused: { ...FAILURE, mayBeStale: true },
  connection_reset: { ...FAILURE, mayBeStale: true },
  network_unreachable: { ...FAILURE, mayBeStale: true },
  tls_error: { ...FAILURE, mayBeStale: true },
  /** The answer is not HTTP, or its headers do not end. */
  invalid_response: FAILURE,
  network_error: FAILURE,
  /** The engine does not connect to such an address, and its rules for addresses seldom change soon. */
  blocked_address: { ...FAILURE, minDelayMs: HOUR, likelyConfiguration: true },
  /** Events go to a public address only under TLS, because everybody on the way could read them. */
  insecure_url: { ...FAILURE, minDelayMs: HOUR, likelyConfiguration: true },
  /** The engine itself has no file descriptors, memory, ports or name server. */
  engine_error: { ...OURS, rests: 5 * SECOND },
  /** The endpoint's secret was sealed with another key, which may come back. */
  secret_unreadable: { ...OURS, rests: 30 * SECOND },
  /** The delivery was claimed and not attempted, so it is given back. */
  released: OURS,
} as const satisfies Record<string, ClassRule>;

export type AttemptClass = keyof typeof ATTEMPT_CLASSES;

const BY_STATUS: Partial<Record<number, AttemptClass>> = {
  408: 'not_ready',
  410: 'gone',
  425: 'not_ready',
  429: 'throttled',
  502: 'gateway_error',
  504: 'gateway_error',
};

export function classifyStatus(status: number): AttemptClass {
  if (status >= 200 && status < 300) return 'delivered';
  if (status < 400) return 'redirect_not_followed';
  return BY_STATUS[status] ?? (status >= 500 ? 'server_error' : 'client_error');
}

export interface AttemptEnd {
  class: AttemptClass;
  /** The pause that the receiver asked for. */
  retryAfterMs: number | null;
}

/** Says where a delivery is on the ladder, and which ladder that is. */
export interface OnLadder {
  ladderStep: number;
  ladder: readonly number[] | null;
  /** Set when the attempt was the breaker's probe: `due` when the delivery was due anyway, `early` when it was not. */
  probe: 'early' | 'due' | null;
}

export interface Verdict {
  charged: boolean;
  /** The delivery goes one rung up its ladder. */
  climbs: boolean;
  counts: boolean;
  slows: boolean;
  /** The delivery has ended: it was delivered, or its ladder is used up. */
  over: boolean;
  /** Null leaves the time of the next attempt as it is. */
  nextAttemptAt: Date | null;
  restsUntil: Date | null;
}

/** Decides what follows from an attempt; `random` in [0, 1) is the jitter. */
export function verdictOf(end: AttemptEnd, at: OnLadder, now: Date, random: number): Verdict {
  const rule: ClassRule = ATTEMPT_CLASSES[end.class];
  const { charged, counts, slows = false } = rule;
  const later = (ms: number): Date => new Date(now.getTime() + ms);
  const askedMs = rule.retryAfter ? Math.min(end.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS) : 0;
  const restsMs = rule.rests === 'as_asked' ? askedMs || THROTTLED_MS * (1 + random) : rule.rests;
  const restsUntil = restsMs === undefined ? null : later(restsMs);
  const verdict = { charged, climbs: false, counts, slows, over: false, nextAttemptAt: null, restsUntil };
  if (end.class === 'delivered') return { ...verdict, over: true };
  if (!charged) return verdict;
  // A failed probe of a receiver that is down says nothing of the event. The event goes behind the others, so that the
  // next probe is another event.
  if (at.probe !== null && !(at.probe === 'due' && rule.answered)) {
    return { ...verdict, nextAttemptAt: at.probe === 'due' ? now : null };
  }
  const ladderMs = nextRetryDelayMs(at.ladderStep + 1, random, at.ladder ?? RETRY_LADDER_MS);
  // A receiver that says 410 gets nothing more, so the ladder need not end and its events are kept.
  if (ladderMs === null && end.class !== 'gone') return { ...verdict, climbs: true, over: true };
  const scheduledMs = Math.max(ladderMs ?? 0, rule.minDelayMs ?? 0);
  return { ...verdict, climbs: true, nextAttemptAt: later(Math.max(scheduledMs, askedMs)) };
}
