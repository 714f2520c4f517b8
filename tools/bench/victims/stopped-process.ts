import { anAgency } from '../agency.ts';
import { Fleet } from '../fleet/fleet.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { besideRow } from './beside.ts';
import { probeSends } from './send-probe.ts';
import type { Probe } from './send-probe.ts';

const PER_SECOND = 5;
const STOPPED_S = 60;
const AROUND_S = 15;
const PATIENCE_MS = 90_000;

/**
 * Stops one of two workers for a minute and wakes it, as a machine that sleeps does, while messages are sent at a fixed
 * rate. Messages of the stopped worker wait for a time-out; none may be lost or be sent twice.
 */
export async function stoppedProcess(machine: Machine): Promise<Result[]> {
  const fleet = await Fleet.start(machine);
  try {
    await fleet.grow(2);
    const session = await anAgency(fleet.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true });
    const scene = { machine, url: fleet.url, sessionId: session.id };
    const probe = (word: string, seconds: number): Promise<Probe> =>
      probeSends(scene, { word, perSecond: PER_SECOND, seconds, patienceMs: PATIENCE_MS });
    await probe('warm', 3);
    const alone = await probe('alone', AROUND_S);
    const [, pid] = machine.pids('worker');
    if (pid === undefined) throw new Error('There is no second worker.');
    process.kill(pid, 'SIGSTOP');
    const wake = setTimeout(() => process.kill(pid, 'SIGCONT'), STOPPED_S * 1_000);
    let during: Probe;
    try {
      during = await probe('stopped', STOPPED_S);
    } finally {
      clearTimeout(wake);
      process.kill(pid, 'SIGCONT');
    }
    const after = await probe('woken', AROUND_S);
    const [lost, repeated] = [during.lost + after.lost, during.repeated + after.repeated];
    return [
      besideRow(`sends while one of two workers is stopped for ${STOPPED_S} s`, during.latencies, alone.latencies),
      besideRow('sends after it woke up', after.latencies, alone.latencies),
      {
        path: 'messages lost or sent twice by a worker that was stopped and woke up',
        measured: `${lost} lost, ${repeated} sent twice (${during.latencies.length + after.latencies.length})`,
        baseline: '',
        ratio: null,
        aim: '0 and 0',
        met: lost + repeated === 0,
      },
    ];
  } finally {
    await fleet.stop();
  }
}
