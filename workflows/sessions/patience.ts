import { condition, patched } from '@temporalio/workflow';
import { pauses } from '../../domain/pauses.ts';
import { failureTypeOf } from '../failure-type.ts';

/** The pauses after the attempts of an activity are used up. */
const PAUSES = pauses({ fromMs: 60_000, toMs: 3_600_000 });
/** A backend or a session that has been away for about a day is not waited for any longer. */
const MAX_ROUNDS = 30;
/** Retries the engine's own failures for some minutes more, because a database may be down that long. */
const MAX_OWN_ROUNDS = 3;
/** The word of failures that nobody has foreseen. */
const OWN_FAULT = 'internal';

export interface Wait {
  /** The failure's word, such as `session_not_ready`. */
  cause: string;
  until: Date;
}

export type Outcome<T> = { done: true; value: T } | { done: false; cause: string };

/**
 * Does the work of an activity, and waits while the backend or the session is away, so that one execution waits instead
 * of many that fail. Gives up after about a day. A fault of our own fails the execution, so that an operator sees it.
 * Whoever becomes `isWoken` meanwhile ends the pause.
 */
export async function withPatience<T>(
  work: () => Promise<T>,
  onWait: (wait: Wait | null) => void,
  isWoken: () => boolean = () => false,
): Promise<Outcome<T>> {
  for (let round = 1; ; round += 1) {
    try {
      const value = await work();
      if (round > 1) onWait(null);
      return { done: true, value };
    } catch (error) {
      // Runs of the releases before failed here, and their histories must replay.
      const cause = failureTypeOf(error);
      if (cause === null || !isPatient()) throw error;
      if (cause === OWN_FAULT && round >= MAX_OWN_ROUNDS) throw error;
      if (round >= MAX_ROUNDS) return { done: false, cause };
      const pauseMs = PAUSES.after(round - 1);
      onWait({ cause, until: new Date(Date.now() + pauseMs) });
      await condition(isWoken, pauseMs, { summary: `${cause}: wait for the retry` });
    }
  }
}

function isPatient(): boolean {
  return patched('sync-history-waits');
}
