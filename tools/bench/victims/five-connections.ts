import { aSession, anAgency, sendTo } from '../agency.ts';
import { Fleet } from '../fleet/fleet.ts';
import { openLoop, posts } from '../load.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { besideRow, describeTimes } from './beside.ts';
import { probeSends } from './send-probe.ts';
import type { Probe } from './send-probe.ts';

const FEW = 5;
/** The default of a process. */
const MANY = 20;
/** About a third of what the machine takes when messages come one at a time. */
const BROADCAST_PER_SECOND = 5;
/** This many sends at once, in a session without a pace, keep both cores busy for the whole measurement. */
const BROADCAST = 400;
const PER_SECOND = 4;
const SECONDS = 8;
const PATIENCE_MS = 30_000;

/**
 * Measures single sends of a session beside the broadcast of another where each process has five connections. A
 * broadcast at a rate that the machine takes is compared with the same sends alone. One without a pace takes the whole
 * machine, whoever does the sending, so there the same scene with twenty connections is the baseline: what is left
 * between the two is what the connections cost.
 */
export async function fiveConnections(machine: Machine): Promise<Result[]> {
  const few = await scene(machine, FEW);
  const many = await scene(machine, MANY);
  const lost = [few.paced, few.unpaced].reduce((sum, probe) => sum + probe.lost + probe.repeated, 0);
  const more = lost === 0 ? '' : `; ${lost} LOST OR TWICE`;
  const connections = `${FEW} connections a process`;
  return [
    besideRow(
      `single sends beside another session's broadcast of ${BROADCAST_PER_SECOND} a second, ${connections}`,
      few.paced.latencies,
      few.alone.latencies,
      more,
    ),
    {
      ...besideRow(
        `single sends beside another session's broadcast of ${BROADCAST} without a pace, ${connections}`,
        few.unpaced.latencies,
        many.unpaced.latencies,
        more,
      ),
      baseline: `with ${MANY}: ${describeTimes(many.unpaced.latencies)}`,
    },
  ];
}

async function scene(machine: Machine, connections: number): Promise<Record<'alone' | 'paced' | 'unpaced', Probe>> {
  const fleet = await Fleet.start(machine, { DATABASE_POOL_SIZE: String(connections) });
  try {
    const other = await anAgency(fleet.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true });
    const busy = await aSession(fleet.url, 'busy');
    const probe = (word: string, seconds: number): Promise<Probe> =>
      probeSends(
        { machine, url: fleet.url, sessionId: other.id },
        { word, perSecond: PER_SECOND, seconds, patienceMs: PATIENCE_MS },
      );
    let index = 0;
    const next = () => sendTo(index++, { session: busy.id, priority: 'bulk' });
    await probe('warm', 3);
    const alone = await probe('alone', SECONDS);
    const load = { perSecond: BROADCAST_PER_SECOND, seconds: SECONDS };
    const [paced] = await Promise.all([probe('paced', SECONDS), openLoop(fleet.url, next, load)]);
    const [unpaced] = await Promise.all([probe('unpaced', SECONDS), posts(fleet.url, BROADCAST, next)]);
    return { alone, paced, unpaced };
  } finally {
    await fleet.stop();
  }
}
