import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { Machine } from '../machine.ts';

const LOOK_EVERY_MS = 1_000;
/** Temporal has nothing to do when it uses less than this in a look, three times in a row. */
const QUIET_MS = 80;
const QUIET_LOOKS = 3;

/** Waits until nothing is promised or to be applied any more and Temporal rests, or until the patience is over. */
export async function untilSettled(machine: Machine, patienceMs: number): Promise<void> {
  const client = new Client({ connectionString: machine.databaseUrl });
  await client.connect();
  // These looks are not the engine's.
  await client.query("set pg_stat_statements.track = 'none'");
  const deadline = performance.now() + patienceMs;
  for (let quiet = 0; quiet < QUIET_LOOKS && performance.now() < deadline;) {
    const before = machine.cpuMs().temporal;
    await pause(LOOK_EVERY_MS);
    quiet = machine.cpuMs().temporal - before < QUIET_MS && !(await hasWork(client)) ? quiet + 1 : 0;
  }
  await client.end();
}

async function hasWork(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ open: boolean }>(`
    select exists (select 1 from dispatch where parked_at is null)
      or exists (select 1 from backend_event where applied_at is null and parked_at is null) as open`);
  return rows[0]?.open ?? false;
}
