const MINUTE_MS = 60_000;

/**
 * The pauses after which the network is asked again for the phone behind a hidden id: soon at first, because most are
 * learned within the hour, and for a week in all.
 */
const PAUSES_MINUTES = [5, 15, 30, 60, 120, 240, 480, 720, 1_440, 1_440, 1_440, 1_440, 1_440] as const;

/** Answers how long the next question waits after so many unanswered ones; null when the network is not asked again. */
export function askAgainAfterMs(asks: number): number | null {
  const minutes = PAUSES_MINUTES[asks - 1];
  return minutes === undefined ? null : minutes * MINUTE_MS;
}

/** A question of a session that is down is due when it is back: nothing looks at it until then. */
export const WHEN_SESSION_IS_BACK = new Date('9999-12-31T00:00:00Z');

/** The result of one round of questions for a session, and the rest. */
export interface PhoneRound {
  /** Counts the answers of the network, and the answers with a phone number. */
  asked: number;
  found: number;
  /** Contacts of the session with only a hidden id that the engine asks for again. */
  waiting: number;
  /** Time until the next question is due. Null if all remaining questions wait for their session. */
  nextInMs: number | null;
  /** Why the round asked nothing, or ended early; null when it went well. */
  held: 'session_not_ready' | 'backend_unavailable' | null;
}
