/** Attempts that an agency may make at a host before the host has taken any event, and how many more each second. */
const BURST = 100;
const PER_SECOND = 1;
/** An event that a host takes pays for this many attempts, so a host that takes one in ten is never waited for. */
const EARNED = 10;
/** Hosts whose credit is whole are forgotten beyond this number. */
const MAX_KNOWN = 10_000;

interface Credit {
  attempts: number;
  countedAtMs: number;
  /** Waiting attempts, by endpoint. */
  waiting: Map<string, () => void>;
}

export interface CreditAsked {
  agencyId: string;
  host: string;
  endpointId: string;
}

/**
 * Bounds what an agency may send to a host that does not take it. Whoever makes an endpoint chooses its address, which
 * may be somebody else's, and a hundred endpoints there would turn each message into hundreds of requests. All endpoints
 * of the agency at the host share the credit, because more endpoints must not mean more attempts.
 */
export class HostCredits {
  readonly #credits = new Map<string, Credit>();

  /**
   * Takes an attempt. Answers null when there is one, else when the next one comes by itself; `granted` is called when
   * the host takes an event before that.
   */
  take(asked: CreditAsked, nowMs: number, granted: () => void): number | null {
    const credit = this.#of(asked, nowMs);
    if (credit.attempts >= 1) {
      credit.attempts -= 1;
      credit.waiting.delete(asked.endpointId);
      return null;
    }
    credit.waiting.set(asked.endpointId, granted);
    return nowMs + Math.ceil(((1 - credit.attempts) / PER_SECOND) * 1_000);
  }

  /** The host has taken an event, so those that wait may go on. */
  earn(asked: Pick<CreditAsked, 'agencyId' | 'host'>, nowMs: number): void {
    const credit = this.#of(asked, nowMs);
    credit.attempts = Math.min(BURST, credit.attempts + EARNED);
    const woken = [...credit.waiting].slice(0, Math.floor(credit.attempts));
    for (const [endpointId] of woken) credit.waiting.delete(endpointId);
    for (const [, granted] of woken) granted();
  }

  #of({ agencyId, host }: Pick<CreditAsked, 'agencyId' | 'host'>, nowMs: number): Credit {
    const key = `${agencyId} ${host}`;
    const known = this.#credits.get(key);
    if (known) return refilled(known, nowMs);
    if (this.#credits.size >= MAX_KNOWN) this.#forgetWhole(nowMs);
    const credit = { attempts: BURST, countedAtMs: nowMs, waiting: new Map<string, () => void>() };
    this.#credits.set(key, credit);
    return credit;
  }

  #forgetWhole(nowMs: number): void {
    for (const [key, credit] of this.#credits) {
      if (refilled(credit, nowMs).attempts === BURST) this.#credits.delete(key);
    }
  }
}

function refilled(credit: Credit, nowMs: number): Credit {
  const passedMs = Math.max(0, nowMs - credit.countedAtMs);
  credit.attempts = Math.min(BURST, credit.attempts + (passedMs / 1_000) * PER_SECOND);
  credit.countedAtMs = nowMs;
  return credit;
}
