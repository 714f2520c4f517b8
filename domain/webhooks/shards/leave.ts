import type { Lane } from './lane.ts';
import type { Waiting } from './pending.ts';

/*
 * What of an endpoint leaves memory first when too much of it is there.
 */

/** The place of the last delivery that stays when so many stay; undefined when all may stay. */
export function lastToStay(known: Iterable<Waiting>, count: number): number | undefined {
  const places: number[] = [];
  for (const { isTaken, place } of known) if (!isTaken) places.push(place);
  places.sort((one, other) => one - other);
  return places[count - 1];
}

/** The blocked lanes that leave when so many stay: those whose heads are due last. */
export function lanesToLeave(lanes: Iterable<Lane>, count: number): Lane[] {
  const blocked = [...lanes].filter(({ isBlocked }) => isBlocked);
  blocked.sort((one, other) => (one.first?.dueAtMs ?? 0) - (other.first?.dueAtMs ?? 0));
  return blocked.slice(count);
}
