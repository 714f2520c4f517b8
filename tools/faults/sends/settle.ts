import { setTimeout as pause } from 'node:timers/promises';
import type { Ground } from '../ground.ts';
import type { Ledger } from './ledger.ts';
import { arrivals, checkSends } from './outcome.ts';
import type { Violation } from './outcome.ts';
import { isUnderWay, readPassports } from './passports.ts';
import type { Passport } from './passports.ts';
import { checkTold } from './check-events.ts';

export interface Settled {
  violations: Violation[];
  passports: ReadonlyMap<string, Passport>;
  arrived: ReadonlyMap<string, number>;
}

const LOOK_EVERY_MS = 500;
/** A message becomes `uncertain` a minute after its doubt, as `ground.ts` sets it; a busy machine needs more. */
const PATIENCE_MS = 330_000;

/** Looks until everything is as promised or the patience is over, and then returns the broken promises. */
export async function settle(ground: Ground, ledger: Ledger): Promise<Settled> {
  const deadline = Date.now() + PATIENCE_MS;
  const passports = new Map<string, Passport>();
  await ground.sandbox.forgetCalls();
  for (;;) {
    const unsure = ledger.accepted.filter(({ messageId }) => !isSure(ground, messageId, passports.get(messageId)));
    for (const [id, passport] of await readPassports(ground, unsure)) passports.set(id, passport);
    const arrived = arrivals(await ground.sandbox.sends());
    const violations = [...checkSends(ledger, passports, arrived), ...checkTold(ground, ledger, passports)];
    if (violations.length === 0 || Date.now() > deadline) return { violations, passports, arrived };
    await pause(LOOK_EVERY_MS);
  }
}

/** Tells whether a passport need not be read again: it no longer changes and agrees with the last event about it. */
function isSure({ receiver }: Ground, messageId: string, passport: Passport | undefined): boolean {
  if (!passport || isUnderWay(passport)) return false;
  const told = receiver.events('message.ack').findLast(({ payload }) => payload['messageId'] === messageId);
  return told?.payload['status'] === passport.status;
}
