/** A call may take this many times as long as the slowest hundredth of the recent calls. */
const TIMES_P99 = 3;
const RECENT_CALLS = 200;
/** On a quick machine a call ends in tens of milliseconds, and one that takes this long has lost its connection. */
const MIN_CALL_MS = 5_000;
/** A longer call would outlive the lease of its dispatch, so another process would repeat it. */
const MAX_CALL_MS = 20_000;
/** A Temporal that restarts refuses connections for about a second. */
const REFUSED_FOR_MS = 2_000;
/** Silence becomes an outage after this many deadlines, so that a probe's own deadline has passed before. */
const SILENT_DEADLINES = 2;
/** However late this process is, others may hand over what it cannot. */
const SILENT_AT_MOST_MS = 120_000;
const TICK_MS = 250;
/**
 * A timer that fires later than this says that this process itself gets too little of the machine. A quota of the CPU is
 * given out in periods of 100 ms, so it makes a timer late by less than that.
 */
const TICK_LATE_MS = 30;

/**
 * Judges by the calls of one process whether Temporal is away, and how long a call may take. A missed deadline alone is
 * no outage: on a busy machine everything is late. An outage is a refusal that lasts, or silence while the timers of
 * this process are on time.
 */
export class TemporalReach {
  readonly #onOutage: () => void;
  readonly #now: () => number;
  readonly #tookMs: number[] = [];
  /** Grows with each missed deadline, because a call that is never answered teaches no latency. */
  #atLeastMs = MIN_CALL_MS;
  #refusedSince: number | undefined;
  /** True from the first call that missed its deadline until any call is answered. */
  #areCallsSilent = false;
  /** True when the last probe of that time was answered, so that only a call can tell whether calls are. */
  #isProbeAnswered = false;
  #callsUnderWay = 0;
  #silentMs = 0;
  #silentOnTimeMs = 0;
  #isDoubtful = false;
  #isDown = false;
  #ticking: { timer: NodeJS.Timeout; at: number } | undefined;
  #answer = Promise.withResolvers<void>();

  constructor({ onOutage, now }: { onOutage?: () => void; now?: () => number } = {}) {
    this.#onOutage = onOutage ?? (() => undefined);
    this.#now = now ?? (() => performance.now());
  }

  /** Follows the observed latency, between a floor and a ceiling. */
  get deadlineMs(): number {
    const sorted = this.#tookMs.toSorted((a, b) => a - b);
    const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
    return Math.min(Math.max(p99 * TIMES_P99, this.#atLeastMs), MAX_CALL_MS);
  }

  /** True when the last word of Temporal was a refusal or none: ask before more is handed over. */
  get isDoubtful(): boolean {
    return this.#isDoubtful;
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  /** Resolves with the next answer of any call, also of one that has missed its deadline. */
  nextAnswer(): Promise<void> {
    return this.#answer.promise;
  }

  /** Silence counts only while somebody waits. Returns what to call when nobody waits for the call any more. */
  callBegins(): () => void {
    this.#callsUnderWay += 1;
    return () => {
      this.#callsUnderWay -= 1;
    };
  }

  answered(tookMs: number): void {
    this.#tookMs.push(tookMs);
    if (this.#tookMs.length > RECENT_CALLS) this.#tookMs.shift();
    this.#endTrouble();
    this.#answer.resolve();
    this.#answer = Promise.withResolvers();
  }

  /**
   * Temporal serves probes. That ends a doubt; but its store may still hang, so silence of calls ends only with the
   * answer of a call.
   */
  probed(): void {
    const mayCall = this.#areCallsSilent && (!this.#isDown || this.#isProbeAnswered);
    if (!mayCall) return this.#endTrouble();
    this.#isProbeAnswered = true;
    this.#isDoubtful = false;
    this.#refusedSince = undefined;
  }

  /** Nothing listens, or it does not serve. */
  refused(): void {
    this.#doubt();
    this.#isProbeAnswered = false;
    this.#refusedSince ??= this.#now();
    if (this.#now() - this.#refusedSince >= REFUSED_FOR_MS) this.#declare();
  }

  /** Temporal does not accept the key. That does not depend on how busy a machine is. */
  denied(): void {
    this.#doubt();
    this.#isProbeAnswered = false;
    this.#declare();
  }

  /** A call has missed its deadline. */
  missed(): void {
    // The calls of a batch miss theirs together, which says no more than one of them.
    if (!this.#isDoubtful) this.#giveLonger();
    this.#areCallsSilent = true;
    this.#miss();
  }

  probeMissed(): void {
    if (!this.#areCallsSilent) this.#giveLonger();
    this.#isProbeAnswered = false;
    this.#miss();
  }

  #giveLonger(): void {
    this.#atLeastMs = Math.min(this.deadlineMs * 2, MAX_CALL_MS);
  }

  #miss(): void {
    this.#doubt();
    // Something accepts connections again, however slowly.
    this.#refusedSince = undefined;
  }

  /** Counts a tick of the timer toward the silence; one that came late counts little. */
  tick(lateMs: number): void {
    if (!this.#isDoubtful && this.#callsUnderWay === 0) return;
    this.#silentMs += TICK_MS + Math.max(lateMs, 0);
    if (lateMs <= TICK_LATE_MS) this.#silentOnTimeMs += TICK_MS;
    const isSilent = this.#silentOnTimeMs >= this.deadlineMs * SILENT_DEADLINES;
    if (isSilent || this.#silentMs >= SILENT_AT_MOST_MS) this.#declare();
  }

  /** Ends the timer, and the waits for an answer. */
  stop(): void {
    this.#endSilence();
    this.#answer.resolve();
  }

  #endTrouble(): void {
    this.#atLeastMs = MIN_CALL_MS;
    this.#refusedSince = undefined;
    this.#isDoubtful = false;
    this.#isDown = false;
    this.#endSilence();
  }

  #endSilence(): void {
    clearInterval(this.#ticking?.timer);
    this.#ticking = undefined;
    this.#areCallsSilent = false;
    this.#isProbeAnswered = false;
    this.#silentMs = 0;
    this.#silentOnTimeMs = 0;
  }

  #declare(): void {
    if (this.#isDown) return;
    this.#isDown = true;
    this.#onOutage();
  }

  #doubt(): void {
    this.#isDoubtful = true;
    if (this.#ticking) return;
    const ticking = { at: this.#now(), timer: setInterval(() => this.#onTick(ticking), TICK_MS) };
    ticking.timer.unref();
    this.#ticking = ticking;
  }

  #onTick(ticking: { at: number }): void {
    const now = this.#now();
    this.tick(now - ticking.at - TICK_MS);
    ticking.at = now;
  }
}
