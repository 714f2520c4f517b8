import { setTimeout as pause } from 'node:timers/promises';
import { MAX_SESSIONS } from '../db/conversations/mirror/notes.ts';
import type { Wakeups } from '../db/engine/wakeups.ts';

/** Changes within this time are sent together. */
const LOOK_EVERY_MS = 20;
/** Another process that is at a session has told its changes after this time, or is at it again. */
const BUSY_MS = 50;
/** A session is left alone for this long when its changes could not be told. */
const TROUBLE_MS = 1_000;
/** The most sessions whose changes are sent in parallel. */
const SIDE_BY_SIDE = 4;
/** For so long after the last change that was told, somebody is taken to mirror an inbox. */
const MIRRORED_FOR_MS = 10 * 60_000;

/** Tells what has changed in a session; `busy` when another process does. */
export type TellChanges = (sessionId: string) => Promise<'told' | 'busy'>;

interface ChangeTellerOf {
  wakeups: Pick<Wakeups, 'serve' | 'ask'>;
  /** Lists sessions in which something has changed, {@link MAX_SESSIONS} at most, those behind one. */
  list: (after: string) => Promise<string[]>;
  tell: TellChanges;
  onError: (error: unknown, sessionId: string | null) => void;
}

/**
 * Tells dashboards that mirror the inbox what has changed, soon after each transaction that may have changed something.
 * As long as nobody mirrors, there is nothing to tell, and the teller does not look: the sweep of the applier, which
 * looks for all, finds the first change (`found`). One teller runs in every api process; a lock gives a session to one
 * of them at a time.
 */
export class ChangeTeller {
  readonly #of: ChangeTellerOf;
  readonly #stop = new AbortController();
  #mirroredUntil = -Infinity;
  /** The sessions behind this one come next, so that none of many waits for ever. */
  #after = '';
  #isRung = false;
  #running: Promise<void> | undefined;
  #off: (() => void) | undefined;

  constructor(of: ChangeTellerOf) {
    this.#of = of;
  }

  start(): void {
    this.#off = this.#of.wakeups.serve('changed', () => {
      if (performance.now() < this.#mirroredUntil) this.#ring();
    });
  }

  /** Somebody has found changes that are not told. */
  found(): void {
    this.#mirroredUntil = performance.now() + MIRRORED_FOR_MS;
    this.#ring();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#off?.();
    await this.#running;
  }

  #ring(): void {
    this.#isRung = true;
    if (this.#stop.signal.aborted) return;
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  async #run(): Promise<void> {
    while (this.#isRung && !this.#stop.signal.aborted) {
      this.#isRung = false;
      // Other processes tell of their transactions only while somebody asks.
      this.#of.wakeups.ask('changed', '');
      await this.#look();
      await this.#pause(LOOK_EVERY_MS);
    }
  }

  async #look(): Promise<void> {
    const from = this.#after;
    const sessions = await this.#of.list(from).catch((error: unknown) => {
      this.#of.onError(error, null);
      return [];
    });
    this.#after = (sessions.length === MAX_SESSIONS ? sessions.at(-1) : undefined) ?? '';
    // Changes may have come meanwhile, in these sessions or in others.
    this.#isRung ||= sessions.length > 0 || from !== '';
    if (sessions.length === 0) return;
    this.#mirroredUntil = performance.now() + MIRRORED_FOR_MS;
    const left = sessions.values();
    await Promise.all(
      Array.from({ length: SIDE_BY_SIDE }, async () => {
        for (const sessionId of left) if (!this.#stop.signal.aborted) await this.#tell(sessionId);
      }),
    );
  }

  /** The failure of one session must not hold up the others. */
  async #tell(sessionId: string): Promise<void> {
    try {
      if ((await this.#of.tell(sessionId)) === 'busy') await this.#pause(BUSY_MS);
    } catch (error) {
      this.#of.onError(error, sessionId);
      await this.#pause(TROUBLE_MS);
    }
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }
}
