import { aSession, anAgency } from '../agency.ts';
import type { BenchSession } from '../agency.ts';
import { Fleet } from '../fleet/fleet.ts';
import { Meter } from '../fleet/meter.ts';
import { inboundEvent } from '../inbound-event.ts';
import { openLoop, posts } from '../load.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { besideRow } from './beside.ts';

const NOISY = 4;
const WAITING_EACH = 1_500;
const QUIET = { perSecond: 5, seconds: 8 };
const PATIENCE_MS = 60_000;

/** Measures how long the events of a quiet session wait while four others have thousands waiting each. */
export async function eventsFlood(machine: Machine): Promise<Result[]> {
  const fleet = await Fleet.start(machine);
  const meter = await Meter.open(fleet);
  try {
    const quiet = await anAgency(fleet.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true });
    const noisy: BenchSession[] = [];
    for (let index = 0; index < NOISY; index += 1) noisy.push(await aSession(fleet.url, `noisy-${index}`));
    const quietOnes = (): Promise<number[]> => lagsOf(meter, fleet.url, quiet.name);
    await quietOnes();
    const alone = await quietOnes();
    let index = 0;
    await posts(fleet.url, NOISY * WAITING_EACH, () => inboundEvent(noisy[index % NOISY]?.name ?? '', index++));
    const waiting = await waitingEvents(meter);
    const beside = await quietOnes();
    return [
      besideRow(
        `a quiet session's events while ${NOISY} others have ${WAITING_EACH} each: received to applied`,
        beside,
        alone,
        `; ${waiting} waited before, ${await waitingEvents(meter)} after`,
      ),
    ];
  } finally {
    await meter.close();
    await fleet.stop();
  }
}

/** Posts events of a session at a fixed rate and returns how many milliseconds each waited until it was applied. */
async function lagsOf(meter: Meter, url: string, session: string): Promise<number[]> {
  const [mark] = await meter.query<{ id: string }>('select coalesce(max(id), 0) as id from backend_event');
  await openLoop(url, (index) => inboundEvent(session, index), QUIET);
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const rows = await meter.query<{ lag: number; applied: boolean }>(
      `select extract(epoch from coalesce(applied_at, clock_timestamp()) - received_at)::float8 * 1000 as lag,
         applied_at is not null as applied
       from backend_event where id > $1 and session_name = $2`,
      [mark?.id, session],
    );
    if (rows.every(({ applied }) => applied) || performance.now() > deadline) return rows.map(({ lag }) => lag);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function waitingEvents(meter: Meter): Promise<number> {
  const [row] = await meter.query<{ n: number }>(
    'select count(*)::float8 as n from backend_event where applied_at is null and parked_at is null',
  );
  return row?.n ?? 0;
}
