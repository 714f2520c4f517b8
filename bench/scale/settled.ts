import { setTimeout as pause } from 'node:timers/promises';
import { cpuMs } from '../cpu.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Meter } from '../fleet/meter.ts';

const LOOK_EVERY_MS = 1_000;
/** Temporal has nothing to do when it uses less than this in a look, three times in a row. */
const QUIET_MS = 80;
const QUIET_LOOKS = 3;

/** Waits until nothing is promised or on its way any more and Temporal rests, or until the patience is over. */
export async function untilSettled(
  { fleet, meter }: { fleet: Fleet; meter: Meter },
  patienceMs: number,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  const used = (): number => fleet.pids('temporal').reduce((sum, pid) => sum + cpuMs(pid), 0);
  for (let quiet = 0; quiet < QUIET_LOOKS && performance.now() < deadline;) {
    const before = used();
    await pause(LOOK_EVERY_MS);
    quiet = used() - before < QUIET_MS && !(await hasWork(meter)) ? quiet + 1 : 0;
  }
}

async function hasWork(meter: Meter): Promise<boolean> {
  const [row] = await meter.query<{ open: boolean }>(`
    select exists (select 1 from dispatch where parked_at is null)
      or exists (select 1 from delivery where status = 'pending')
      or exists (select 1 from backend_event where applied_at is null and parked_at is null) as open`);
  return row?.open ?? false;
}
