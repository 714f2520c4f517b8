/*
 * The reading of an account's past: what a run reads, and when the next one comes. Workflows import this file, so it
 * does without zod.
 */

/** A part of a run is tried so often before it waits for minutes; the last attempt leaves chats that cannot be read. */
export const SYNC_ATTEMPTS = 5;

/** Why a run begins. */
export const SYNC_CAUSE_TEXTS = {
  first: 'The account works for the first time.',
  late: 'A phone hands its history over minutes after it was linked, so the list is read again.',
  connected: 'The account has come back.',
  scheduled: 'The last run was a while ago.',
  reader: 'Someone has opened the inbox.',
  asked: 'Someone requested it.',
} as const;
export const SYNC_CAUSES = [
  'first',
  'late',
  'connected',
  'scheduled',
  'reader',
  'asked',
] as const satisfies (keyof typeof SYNC_CAUSE_TEXTS)[];
export type SyncCause = (typeof SYNC_CAUSES)[number];

/** The ends of a run. */
export const SYNC_OUTCOMES = ['done', 'stopped'] as const;
export type SyncOutcome = (typeof SYNC_OUTCOMES)[number];

/** The states of an account's past. `waiting` means that something stops the run from starting or continuing. */
export const SYNC_STATES = ['never', 'waiting', 'running', 'done', 'stopped'] as const;
export type SyncState = (typeof SYNC_STATES)[number];

/** The bounds of what is read, of the settings or as somebody has asked. */
export interface HistorySettings {
  messagesPerChat: number;
  /** A run begins no chat's older messages any more once so many were brought in. */
  messagesPerSession: number;
  /** Older messages are skipped; 0 skips none. */
  days: number;
  /** Time between full comparisons with the backend's list; 0 disables them. */
  everyMs: number;
}

/** Extra work of a run beyond the chats with new messages. */
interface Extent {
  /** The list is read to its end; else only as long as it shows something that is not here. */
  isWhole: boolean;
  /** Chats that were read to their end are looked at again there, because older messages may have come. */
  isDeep: boolean;
}

export function extentOf(cause: SyncCause): Extent {
  const isWhole = cause !== 'connected' && cause !== 'reader';
  return { isWhole, isDeep: isWhole && cause !== 'scheduled' };
}

const MINUTE_MS = 60_000;
/** A new link is read again so long after it has worked for the first time, because no event tells of what comes late. */
export const LATE_AFTER_MS = [MINUTE_MS / 2, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS] as const;
/** An account that comes back may be linked anew, so the later ones of these are made again. */
export const LATE_OF_RETURN = 2;
/** After an account has come back, or after a late reading was due, the next comes no sooner. */
const SOONEST_MS = 5_000;

/** Says when the next run comes; null for never. `late` is how many late readings are done. */
export function nextSyncAt(
  { since, late, everyMs }: { since: Date; late: number; everyMs: number },
  now: Date,
): Date | null {
  const afterMs = LATE_AFTER_MS[late];
  if (afterMs === undefined) return everyMs === 0 ? null : new Date(now.getTime() + everyMs);
  return new Date(Math.max(since.getTime() + afterMs, now.getTime() + SOONEST_MS));
}

/** A session that comes and goes is read this often at most. */
const AGAIN_AFTER_MS = MINUTE_MS;

/** Tells whether a session that works is to be read: it never was, or it was away since. */
export function isSyncDue({ syncedAt, since }: { syncedAt: Date | null; since: Date }, now: Date): boolean {
  if (syncedAt === null) return true;
  return syncedAt < since && now.getTime() - syncedAt.getTime() >= AGAIN_AFTER_MS;
}

/** Position in a chat, in messages counted from its newest. */
export interface ChatPlace {
  read: number;
  readBefore: number;
  isDeep: boolean;
}

/** A page of it. */
interface ChatPage {
  listed: number;
  /** Counts the messages that were missing here. */
  news: number;
  isLast: boolean;
  /** The time of its oldest message in Unix milliseconds. */
  oldestMs: number;
}

interface ChatBounds {
  perChat: number;
  since: Date | null;
}

/** The step after a page of a chat. */
export interface ChatStep {
  /** Position of the next read. Null at the end. */
  next: number | null;
  /** The read part without a gap. */
  upTo: number;
  /** Whether that is its beginning; null where the page says nothing about it. */
  isComplete: boolean | null;
  isBounded: boolean;
}

/**
 * Says how a chat goes on after a page. From its newest message on it is read until a page shows nothing new; then, if
 * it is read deeply, where the run before has ended. Newer messages push that place down, so that pages overlap and
 * nothing is skipped.
 */
export function stepOf(place: ChatPlace, page: ChatPage, { perChat, since }: ChatBounds): ChatStep {
  const end = place.read + page.listed;
  const isOlder = place.read >= place.readBefore;
  if (page.isLast) return { next: null, upTo: end, isComplete: true, isBounded: false };
  const known = { upTo: end, isComplete: isOlder ? false : null };
  const isTooOld = since !== null && page.oldestMs < since.getTime();
  if (end >= perChat || isTooOld) return { ...known, next: null, isBounded: true };
  if (isOlder || page.news > 0) return { ...known, next: end, isBounded: false };
  const next = place.isDeep ? Math.max(end, place.readBefore) : null;
  return { ...known, next: next !== null && next >= perChat ? null : next, isBounded: false };
}
