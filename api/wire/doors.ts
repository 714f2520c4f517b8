import type { ServerResponse } from 'node:http';
import { EngineError } from '../../domain/error.ts';
import type { FairSlots, GiveBack } from '../../domain/fair-slots.ts';

/** One bound that a request must pass: `owner` has its share of the slots, and so has its agency where it is none. */
export interface Door {
  slots: FairSlots;
  owner: string;
  agencyId?: string;
}

/**
 * Takes a slot at each door, one after the other, and answers how all are given back. A request that finds no slot
 * within `waitMs` holds none and is refused with `busy`.
 */
export async function enter(doors: readonly Door[], waitMs: number): Promise<GiveBack> {
  const taken: GiveBack[] = [];
  const leave = (): void => {
    for (const giveBack of taken.splice(0)) giveBack();
  };
  for (const { slots, owner, ...agency } of doors) {
    const giveBack = await slots.acquire(owner, waitMs, agency);
    if (giveBack === null) {
      leave();
      throw busy();
    }
    taken.push(giveBack);
  }
  return leave;
}

export function busy(): EngineError {
  return new EngineError('busy', 'Repeat the request when one of yours that are under way has ended.', {
    headers: { 'retry-after': '1' },
  });
}

/** Enters for as long as the answer is under way, also when its client leaves. */
export async function enterFor(response: ServerResponse, doors: readonly Door[], waitMs: number): Promise<void> {
  const leave = await enter(doors, waitMs);
  // The client may have left while the request waited.
  if (response.closed) leave();
  else response.once('close', leave);
}
