/** A provider that asks for a longer pause gets this one. */
const MAX_PAUSE_MS = 3_600_000;
const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Providers tell with every answer when their limits begin anew. That time is a pause only for a limit that is used up.
 */
const LIMITS = ['', '-requests', '-tokens'];
const isUsedUp = (remaining: string | null): boolean => remaining === null || Number(remaining) <= 0;

/** Returns the pause that a provider asks for, in whichever header it says so; null when it asks for none. */
export function retryAfterMs(status: number, headers: Headers): number | null {
  const sentAt = Date.parse(headers.get('date') ?? '') || Date.now();
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN);
  const limits = status === 429 ? LIMITS.filter((name) => isUsedUp(headers.get(`x-ratelimit-remaining${name}`))) : [];
  const asked = [
    Number.isNaN(milliseconds) ? null : milliseconds,
    pauseOf(headers.get('retry-after'), sentAt),
    longest(limits.map((name) => pauseOf(headers.get(`x-ratelimit-reset${name}`), sentAt))),
  ];
  const pause = asked.find((value) => value !== null && value >= 0);
  return pause === undefined || pause === null ? null : Math.min(Math.ceil(pause), MAX_PAUSE_MS);
}

/** Reads seconds, a time of the epoch in seconds or milliseconds, a span like `6m0s`, or a date. */
function pauseOf(value: string | null, sentAt: number): number | null {
  const text = value?.trim() ?? '';
  if (text === '') return null;
  const number = Number(text);
  if (!Number.isNaN(number)) {
    if (number > 1e12) return number - sentAt;
    return number > 1e9 ? number * 1_000 - sentAt : number * 1_000;
  }
  const span = spanOf(text);
  if (span !== null) return span;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : date - sentAt;
}

function spanOf(text: string): number | null {
  if (!/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(text)) return null;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)];
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS_MS[unit ?? ''] ?? 0), 0);
}

function longest(pauses: readonly (number | null)[]): number | null {
  const known = pauses.filter((pause) => pause !== null);
  return known.length === 0 ? null : Math.max(...known);
}
