import { placeOf } from './recovery.ts';

const HOUR_MS = 3_600_000;
const HOURS_OF_WEEK = 168;

/** For each hour of the week (UTC): in how many weeks something was heard, of how many that were listened to. */
export interface Pattern {
  heard: readonly number[];
  seen: readonly number[];
}

export const NO_PATTERN: Pattern = {
  heard: Array.from({ length: HOURS_OF_WEEK }, () => 0),
  seen: Array.from({ length: HOURS_OF_WEEK }, () => 0),
};

/** The facts of a session's reception at a check. */
export interface Hearing {
  sessionId: string;
  pattern: Pattern;
  /** When it last heard a contact's message. */
  heardAt: Date;
  /** Since when it works and is wanted to, and is not known to be silent; null while that is not so. */
  worksSince: Date | null;
  /** Up to here the pattern is learned; null before the first look. */
  learnedUntil: Date | null;
  /** Since when the engine has listened without a break; null before the first look. */
  listensFrom: Date | null;
  /** The last received event when the session was last unusually quiet. */
  askedFor: Date | null;
  /** The evidence of that quiet time. */
  askedEvidence: number;
}

/** `compare`: it is unusually quiet, so its backend is asked. `suspect`: far too quiet, whatever the backend shows. */
export type Sign = 'compare' | 'suspect';

export interface Heard extends Pick<Hearing, 'sessionId' | 'pattern' | 'askedFor' | 'askedEvidence'> {
  learnedUntil: Date;
  listensFrom: Date;
  lookAt: Date;
  sign: Sign | null;
}

export interface SilenceSettings {
  isOn: boolean;
  /** No session is taken for silent before it has heard nothing for this long. */
  afterMs: number;
}

/** A week counts this much of the week after it, so that what a session did two months ago hardly counts. */
const DECAY = 0.8;
/** Looks that should come each hour and come later than this leave a hole, of which nothing is known. */
const HOLE_AFTER_MS = 2.5 * HOUR_MS;
/** The looks at all sessions are spread over this part of an hour. */
const SPREAD_MS = 300_000;
/** An event received this soon after an hour belongs to that hour's late check, so it does not hide the hour. */
const LATE_MS = 2 * SPREAD_MS;
/** An hour of the week proves something once it was listened to in this many weeks. */
const MIN_WEEKS = 1;

/**
 * The evidence at which a session is compared with its backend, as the natural logarithm of how unlikely the quiet is:
 * one quiet stretch in twenty is as long by chance. Asking costs one call.
 */
const COMPARE_AT = 3;
/**
 * The evidence at which a session is taken for silent although its backend shows nothing that is missing. One holiday, or
 * a long weekend, of a session with office hours stays below it.
 */
const SUSPECT_AT = 30;

/**
 * Learns from the hours since the last look at which hours of the week a session hears something, and says whether it
 * is quieter now than that explains. The unit is an hour with or without a message, not a number of messages, because
 * messages come in conversations, and a burst would make the hours after it look dead.
 */
export function listen(hearing: Hearing, now: Date, { afterMs }: SilenceSettings): Heard {
  const { sessionId, heardAt, worksSince, learnedUntil } = hearing;
  const hasHole = learnedUntil === null || now.getTime() - learnedUntil.getTime() > HOLE_AFTER_MS;
  const listensFrom = hasHole || hearing.listensFrom === null ? now : hearing.listensFrom;
  const pattern = learn({ ...hearing, listensFrom }, now);
  const from = worksSince === null ? now : latest(heardAt, worksSince, listensFrom);
  const evidence = evidenceOf(pattern, from, now);
  const isNews = hearing.askedFor?.getTime() !== heardAt.getTime();
  const before = isNews ? 0 : hearing.askedEvidence;
  const isSuspect = evidence >= SUSPECT_AT && before < SUSPECT_AT;
  const isUnusual = isSuspect || evidence >= Math.max(COMPARE_AT, 2 * before);
  const asks = isUnusual && now.getTime() - from.getTime() >= afterMs;
  return {
    sessionId,
    pattern,
    learnedUntil: new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS),
    listensFrom,
    lookAt: nextLookAt(sessionId, now),
    askedFor: asks ? heardAt : hearing.askedFor,
    askedEvidence: asks ? evidence : before,
    sign: !asks ? null : isSuspect ? 'suspect' : 'compare',
  };
}

/** Shortly after the next full hour, so that what was heard is counted for the hour in which it came. */
function nextLookAt(sessionId: string, now: Date): Date {
  return new Date((Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS + SPREAD_MS * placeOf(sessionId));
}

/** Hours count in which the session worked and the engine listened from beginning to end. */
function learn({ pattern, heardAt, worksSince, learnedUntil, listensFrom }: Hearing, now: Date): Pattern {
  const since = Math.max(worksSince?.getTime() ?? Infinity, listensFrom?.getTime() ?? Infinity);
  const heard = [...pattern.heard];
  const seen = [...pattern.seen];
  for (let at = learnedUntil?.getTime() ?? Infinity; at + HOUR_MS <= now.getTime(); at += HOUR_MS) {
    // Only the last time is known: what came after the hour says nothing of the hour.
    const isKnown = heardAt.getTime() < at + HOUR_MS + LATE_MS;
    if (at < since || !isKnown) continue;
    const hour = hourOfWeek(at);
    heard[hour] = (heard[hour] ?? 0) * DECAY + (heardAt.getTime() >= at ? 1 : 0);
    seen[hour] = (seen[hour] ?? 0) * DECAY + 1;
  }
  return { heard, seen };
}

/** Returns how unlikely silence is from `from` to `to` by the pattern; hours are independent of each other. */
function evidenceOf(pattern: Pattern, from: Date, to: Date): number {
  let evidence = 0;
  const begin = Math.max(from.getTime(), to.getTime() - HOURS_OF_WEEK * HOUR_MS);
  for (let at = begin; at < to.getTime();) {
    const end = Math.min((Math.floor(at / HOUR_MS) + 1) * HOUR_MS, to.getTime());
    evidence += (-Math.log(1 - chanceOf(pattern, hourOfWeek(at))) * (end - at)) / HOUR_MS;
    at = end;
  }
  return evidence;
}

/**
 * The chance that something is heard in an hour of the week: the lowest of the hour and its neighbours, so that people
 * who begin an hour later, as they do when clocks are put back, make nobody suspect.
 */
function chanceOf(pattern: Pattern, hour: number): number {
  return Math.min(
    ...[-1, 0, 1].map((offset) => chanceOfHour(pattern, (hour + offset + HOURS_OF_WEEK) % HOURS_OF_WEEK)),
  );
}

/** Few weeks prove little: an hour in which something was heard each time is not certain to be heard in. */
function chanceOfHour({ heard, seen }: Pattern, hour: number): number {
  const weeks = seen[hour] ?? 0;
  return weeks < MIN_WEEKS ? 0 : (heard[hour] ?? 0) / (weeks + 1);
}

function hourOfWeek(at: number): number {
  return Math.floor(at / HOUR_MS) % HOURS_OF_WEEK;
}

function latest(...dates: readonly Date[]): Date {
  return new Date(Math.max(...dates.map((date) => date.getTime())));
}
