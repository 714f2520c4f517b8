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
const WAITING_EACH = 3_000;
/**
 * The machine handles this rate beside its own client, so the test measures the engine's order of work and not its
 * limit.
 */
const STREAM_PER_SECOND = 200;
const QUIET = { perSecond: 10, seconds: 8 };
const PATIENCE_MS = 60_000;

/**
 * Measures how long the events of a quiet session wait while four others send all the time, and while they have
 * thousands waiting each. Beside what waits only those events count that came before the last of it was applied.
 */
export async function eventsFlood(machine: Machine): Promise<Result[]> {
  const fleet = await Fleet.start(machine);
  const meter = await Meter.open(machine);
  try {
    const quiet = await anAgency(fleet.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true });
    const noisy: BenchSession[] = [];
    for (let index = 0; index < NOISY; index += 1) noisy.push(await aSession(fleet.url, `noisy-${index}`));
    let index = 0;
    const next = () => inboundEvent(noisy[index % NOISY]?.name ?? '', index++);
    const quietOnes = (): Promise<Applied[]> => appliedOf(meter, fleet.url, quiet.name);
    await quietOnes();
    const alone = lagsOf(await quietOnes());
    const load = { perSecond: STREAM_PER_SECOND, seconds: QUIET.seconds };
    const [besideStream] = await Promise.all([quietOnes(), openLoop(fleet.url, next, load)]);
    await posts(fleet.url, NOISY * WAITING_EACH, next);
    const waiting = await waitingEvents(meter);
    const all = await quietOnes();
    const over = await lastApplied(meter, quiet.name);
    const besideWaiting = all.filter(({ receivedAt }) => receivedAt < over);
    const path = `a quiet session's events, received to applied, while ${NOISY} others`;
    return [
      besideRow(`${path} send ${STREAM_PER_SECOND} a second`, lagsOf(besideStream), alone),
      besideRow(`${path} have ${WAITING_EACH} each`, lagsOf(besideWaiting), alone, `; ${waiting} waited before`),
    ];
  } finally {
    await meter.close();
    await fleet.stop();
  }
}

interface Applied {
  receivedAt: number;
  lag: number;
}

const lagsOf = (events: readonly Applied[]): number[] => events.map(({ lag }) => lag);

/** Posts events of a session at a fixed rate and returns when each came and how many milliseconds it then waited. */
async function appliedOf(meter: Meter, url: string, session: string): Promise<Applied[]> {
  const [mark] = await meter.query<{ id: string }>('select coalesce(max(id), 0) as id from backend_event');
  await openLoop(url, (index) => inboundEvent(session, index), QUIET);
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const rows = await meter.query<Applied & { applied: boolean }>(
      `select extract(epoch from received_at)::float8 * 1000 as "receivedAt",
         extract(epoch from coalesce(applied_at, clock_timestamp()) - received_at)::float8 * 1000 as lag,
         applied_at is not null as applied
       from backend_event where id > $1 and session_name = $2`,
      [mark?.id, session],
    );
    if (rows.every(({ applied }) => applied) || performance.now() > deadline) return rows;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function waitingEvents(meter: Meter): Promise<number> {
  const [row] = await meter.query<{ n: number }>(
    'select count(*)::float8 as n from backend_event where applied_at is null and parked_at is null',
  );
  return row?.n ?? 0;
}

/** Returns when the last event of the other sessions was applied; now while some of them wait. */
async function lastApplied(meter: Meter, session: string): Promise<number> {
  const [row] = await meter.query<{ at: number }>(
    `select extract(epoch from max(coalesce(applied_at, clock_timestamp())))::float8 * 1000 as at
     from backend_event where session_name <> $1`,
    [session],
  );
  return row?.at ?? 0;
}
