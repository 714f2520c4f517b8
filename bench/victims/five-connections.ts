import { aSession, anAgency, sendTo } from '../agency.ts';
import { Fleet } from '../fleet/fleet.ts';
import { posts } from '../load.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { besideRow } from './beside.ts';
import { probeSends } from './send-probe.ts';
import type { Probe } from './send-probe.ts';

const CONNECTIONS = '5';
const BROADCAST = 300;
const PER_SECOND = 2;
const SECONDS = 15;
const PATIENCE_MS = 30_000;

/** Measures single replies of a session beside the broadcast of another where each process has five connections. */
export async function fiveConnections(machine: Machine): Promise<Result[]> {
  const fleet = await Fleet.start(machine, { DATABASE_POOL_SIZE: CONNECTIONS });
  try {
    const other = await anAgency(fleet.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true });
    const busy = await aSession(fleet.url, 'busy');
    const scene = { machine, url: fleet.url, sessionId: other.id };
    const probe = (word: string, seconds: number): Promise<Probe> =>
      probeSends(scene, { word, perSecond: PER_SECOND, seconds, patienceMs: PATIENCE_MS });
    await probe('warm', 3);
    const alone = await probe('alone', SECONDS);
    let index = 0;
    const sending = posts(fleet.url, BROADCAST, () => sendTo(index++, { session: busy.id, priority: 'bulk' }));
    const beside = await probe('beside', SECONDS);
    await sending;
    const more = beside.lost + beside.repeated === 0 ? '' : `; ${beside.lost} LOST, ${beside.repeated} TWICE`;
    const path = `single sends beside another session's broadcast of ${BROADCAST}, ${CONNECTIONS} connections a process`;
    return [besideRow(path, beside.latencies, alone.latencies, more)];
  } finally {
    await fleet.stop();
  }
}
