import { aSession, anAgency } from '../agency.ts';
import type { BenchSession } from '../agency.ts';
import { availableMb } from '../fleet/memory-use.ts';
import { Fleet } from '../fleet/fleet.ts';
import { Meter } from '../fleet/meter.ts';
import type { Machine } from '../machine.ts';
import { Receivers } from '../receivers.ts';
import type { Result } from '../result.ts';
import type { Sizes } from '../sizes.ts';
import { makeSessions, makeTenants } from './ground.ts';
import { measureCell } from './measure.ts';
import type { Cell } from './measure.ts';
import { cellTables, resultsOf, statementLists } from './report.ts';

/** Four busy sessions send the messages; all others are idle. */
const SENDERS = 4;
const RATE_PER_SECOND = 5;
/** As long as the period of the reconcile and of the backend's list, so that each window has one of each. */
const WINDOW_S = 30;
/** The most memory of an API and a worker on this path. */
const PAIR_MB = 900;

/**
 * Measures what processes and sessions cost that have nothing to do, and what a message costs beside them, while both
 * grow: each number of sessions with the fewest processes, and the most sessions with each number of processes.
 */
export async function scale(machine: Machine, _seconds: number, sizes: Sizes): Promise<Result[]> {
  const { endpoints, supervised } = sizes;
  const processes = sizes.processes.toSorted((a, b) => a - b);
  const receivers = await Receivers.start(2);
  const [dashboardUrl = '', tenantsUrl = ''] = receivers.urls;
  const fleet = await Fleet.start(machine);
  const meter = await Meter.open(machine);
  const cells: Cell[] = [];
  try {
    const senders = await sessionsOf(fleet, dashboardUrl, SENDERS);
    await makeTenants(fleet.url, tenantsUrl, endpoints);
    for (let index = SENDERS; index < supervised; index += 1) await aSession(fleet.url, `supervised-${index}`);
    await fleet.grow(processes[0] ?? 1);
    let made = 0;
    const measure = async (): Promise<void> => {
      const of = { sessions: made, endpoints, windowS: WINDOW_S, ratePerSecond: RATE_PER_SECOND };
      console.log(`… ${fleet.size} + ${fleet.size} processes, ${made} sessions`);
      const cell = await measureCell({ fleet, meter, senders }, of);
      console.log(statementLists(cell));
      cells.push(cell);
    };
    for (const sessions of sizes.sessions.toSorted((a, b) => a - b)) {
      await makeSessions({ machine, meter, url: fleet.url }, { from: made, to: sessions, tenants: endpoints });
      made = sessions;
      await measure();
    }
    for (const count of processes.slice(1)) {
      const neededMb = (count - fleet.size) * PAIR_MB;
      if (neededMb > availableMb()) {
        console.log(`${count} + ${count} processes are left out: they need ${neededMb} MB, more than there is.`);
        break;
      }
      await fleet.grow(count);
      await measure();
    }
    console.log(`\n${cellTables(cells)}\n`);
    return resultsOf(cells);
  } finally {
    await meter.close();
    await fleet.stop();
    await receivers.stop();
  }
}

async function sessionsOf(fleet: Fleet, dashboardUrl: string, count: number): Promise<BenchSession[]> {
  const sessions = [await anAgency(fleet.url, { dashboardUrl, working: true })];
  while (sessions.length < count) sessions.push(await aSession(fleet.url, `busy-${sessions.length}`));
  return sessions;
}
