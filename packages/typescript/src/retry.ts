import type { EngineError } from './errors.ts';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 8_000;

/** A pause that grows with each attempt, and differs between callers, so that they do not come back together. */
export function pauseAfter(attempt: number): number {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}

/** Says whether the same request may succeed later. `once` is said of requests that do something again when repeated. */
export function mayRepeat({ code, status }: EngineError, once = false): boolean {
  if (status === 429 || code === 'busy' || code === 'overloaded') return true;
  if (once) return false;
  if (code === 'unreachable' || code === 'timed_out' || code === 'idempotency_in_progress') return true;
  if (status === 408 || status === 425) return true;
  return status >= 500 && status !== 501 && code !== 'model_failed';
}

/** `Retry-After` in milliseconds: seconds, or a date. */
export function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Waits, and throws the reason of the signal as soon as that is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
