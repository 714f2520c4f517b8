import { z } from 'zod';

export const AckLevel = z.literal([-1, 0, 1, 2, 3, 4]);
export type AckLevel = z.infer<typeof AckLevel>;

/**
 * Delivery levels of the network (source: `docs/extend/backend.md#events`, 5), each with the state that it brings a
 * message to; null where it does not confirm the message. A message's level never falls, and a level that was skipped
 * counts as reached.
 */
const LEVELS = {
  '-1': { name: 'ERROR', status: null },
  0: { name: 'PENDING', status: null },
  1: { name: 'SERVER', status: 'sent' },
  2: { name: 'DEVICE', status: 'delivered' },
  3: { name: 'READ', status: 'read' },
  4: { name: 'PLAYED', status: 'played' },
} as const satisfies Record<AckLevel, { name: string; status: string | null }>;

export type AckName = (typeof LEVELS)[AckLevel]['name'];
export type AckStatus = NonNullable<(typeof LEVELS)[AckLevel]['status']>;

const ASCENDING: readonly AckLevel[] = [-1, 0, 1, 2, 3, 4];

export const AckName = z
  .enum(ASCENDING.map(ackName))
  .meta({ description: 'The name of the level in `ack`; `SERVER` is sent, `DEVICE` delivered.' });

export function ackName(level: AckLevel): AckName {
  return LEVELS[level].name;
}

/** Reads a level; undefined for a level that this version does not know, so that it is ignored and not guessed. */
export function parseAck(value: number): AckLevel | undefined {
  return ASCENDING.find((level) => level === value);
}

/** Answers the state that the level brings a message to; null where the level does not confirm the message. */
export function statusOfAck(level: AckLevel): AckStatus | null {
  return LEVELS[level].status;
}

const CONFIRMED: ReadonlyMap<string, AckLevel> = new Map(
  ASCENDING.flatMap((level) => (LEVELS[level].status === null ? [] : [[LEVELS[level].status, level]])),
);

/**
 * Answers the level to show with a state, so that the two never contradict each other. Some engines never report the
 * ack of the network's server, and the state is `sent` with the backend's answer.
 */
export function shownAck(status: string, reported: AckLevel | null): AckLevel {
  if (status === 'failed') return -1;
  const level = reported ?? 0;
  const least = CONFIRMED.get(status);
  return least === undefined || level > least ? level : least;
}

/** Answers the states between two levels: a message has passed them although no ack has told of them. */
export function statusesBetween(before: AckLevel, after: AckLevel): AckStatus[] {
  return ASCENDING.filter((level) => level > before && level < after).flatMap((level) => statusOfAck(level) ?? []);
}
