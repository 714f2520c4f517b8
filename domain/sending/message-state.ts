import type { MessageStatus } from './message.ts';

const SENT: ReadonlySet<MessageStatus> = new Set(['sent', 'delivered', 'read', 'played']);
/** The states in which a send is over, even if acks move it further. */
const ENDED: ReadonlySet<MessageStatus> = new Set([...SENT, 'failed', 'uncertain', 'cancelled']);

/** True once nothing more will be done to send the message, so its successor may go. */
export function hasEnded(status: MessageStatus): boolean {
  return ENDED.has(status);
}

/** True once the network has the message. */
export function wasSent(status: MessageStatus): boolean {
  return SENT.has(status);
}

/** A send expires after it has waited in the queue for this long, in milliseconds. */
export const EXPIRES_AFTER_MS = { default: 24 * 60 * 60_000, ai: 15 * 60_000 } as const;

/** A send may be scheduled at most this far ahead, in milliseconds. */
export const SCHEDULE_WITHIN_MS = 366 * 24 * 60 * 60_000;

/** The call to the backend must begin within this time of the claim, else the claim is given up. */
export const CLAIM_VALID_MS = 2_000;

/**
 * A local activity waits this long for the backend; after that its process keeps the call, and the workflow goes on.
 */
export const CALL_WAIT_MS = 4_000;

/** A workflow whose send an activity of the former release has made waits this long for the ack `delivered`. */
export const ACK_WATCH_MS = 120_000;

/**
 * For this long after `sent` the activity that has sent the message looks for its acks, so that the execution ends with
 * the level that most messages reach. Later acks only change rows.
 */
export const ACKS_LOOKED_FOR_MS = 1_000;

/** An uncertain message stays open this long for an echo or ack of the network, or for an operator's verdict. */
export const UNCERTAIN_OPEN_MS = 72 * 60 * 60_000;

/** The reasons why the answer to a call was not heard. The cause decides how long the backend may still be sending. */
export const LOST_CAUSES = ['error_answer', 'broken_connection', 'timeout'] as const;
export type LostCause = (typeof LOST_CAUSES)[number];

/**
 * The waits before the chat is read for a lost send. Until then the backend may still be sending, so a chat without the
 * message proves nothing.
 */
export interface SettleDelays {
  afterErrorAnswerMs: number;
  afterBrokenConnectionMs: number;
  /**
   * The backend may work on a file for this long after its claim, even when the engine no longer waits for the answer.
   */
  longestFileCallMs: number;
  /**
   * For this long after its absence can be believed a send is looked for. Then it is `uncertain`: nobody will learn its
   * outcome later.
   */
  giveUpAfterMs: number;
}

/** The longest that a call to the backend may take: the call of a file, with every way of sending it that is tried. */
export const MAX_CALL_MS = 180_000;
