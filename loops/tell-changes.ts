import { MAX_SESSIONS } from '../db/conversations/mirror/notes.ts';
import type { Wakeups } from '../db/engine/wakeups.ts';
import { Loop, pauseFor } from '../domain/loop.ts';

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
  readonly #loop: Loop;
  #mirroredUntil = -Infinity;
  /** The sessions behind this one come next, so that none of many waits for ever. */
  #after = '';
  #off = (): void => undefined;

  constructor(of: ChangeTellerOf) {
    this.#of = of;
    const failed = (error: unknown): void => of.onError(error, null);
    this.#loop = new Loop({ round: (stop) => this.#round(stop), failed, afterFailureMs: LOOK_EVERY_MS });
  }

  start(): void {
    this.#off = this.#of.wakeups.serve('changed', () => {
      if (performance.now() < this.#mirroredUntil) this.#loop.ring();
    });
    this.#loop.start(Infinity);
  }

  /** Somebody has found changes that are not told. */
  found(): void {
    this.#mirroredUntil = performance.now() + MIRRORED_FOR_MS;
    this.#loop.ring();
  }

  async stop(): Promise<void> {
    this.#off();
    await this.#loop.stop();
  }

  async #round(stop: AbortSignal): Promise<number> {
    // Other processes tell of their transactions only while somebody asks.
    this.#of.wakeups.ask('changed', '');
    const mayBeMore = await this.#look(stop);
    await pauseFor(LOOK_EVERY_MS, stop);
    return mayBeMore ? 0 : Infinity;
  }

  /** Returns true when there may be more: what was made meanwhile, and the sessions before and behind these. */
  async #look(stop: AbortSignal): Promise<boolean> {
    const from = this.#after;
    const sessions = await this.#of.list(from).catch((error: unknown) => {
      this.#of.onError(error, null);
      return [];
    });
    this.#after = (sessions.length === MAX_SESSIONS ? sessions.at(-1) : undefined) ?? '';
    if (sessions.length === 0) return from !== '';
    this.#mirroredUntil = performance.now() + MIRRORED_FOR_MS;
    const left = sessions.values();
    await Promise.all(
      Array.from({ length: SIDE_BY_SIDE }, async () => {
        for (const sessionId of left) if (!stop.aborted) await this.#tell(sessionId, stop);
      }),
    );
    return true;
  }

  /** The failure of one session must not hold up the others. */
  async #tell(sessionId: string, stop: AbortSignal): Promise<void> {
    try {
      if ((await this.#of.tell(sessionId)) === 'busy') await pauseFor(BUSY_MS, stop);
    } catch (error) {
      this.#of.onError(error, sessionId);
      await pauseFor(TROUBLE_MS, stop);
    }
  }
}
