import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../demo/until.ts';
import type { Ground } from '../ground.ts';
import { armEachRoute } from './kills.ts';
import type { Fault } from '../scene.ts';

const OUTAGE_MS = { short: 10_000, long: 120_000 };
const BREAKS_MS = 5_000;
/** Longer than the local activity waits for the backend. */
const SLOW_MS = 6_000;
const DISORDER_MS = 5_000;
const HIT_OF_A_ROUTE = 4;

/** Faults of the backend's calls and of its events. */
export const NETWORK_FAULTS: readonly Fault[] = [
  {
    name: 'drops',
    title: 'the connection drops after the send',
    short: 'always',
    strike: ({ ground }) => hit(ground, { kind: 'dropAfter' }),
  },
  {
    name: 'errors',
    title: '5xx, and nothing was sent',
    short: 'always',
    strike: ({ ground }) => hit(ground, { kind: 'status500', message: 'Timed Out' }),
  },
  {
    name: 'errors-after-send',
    title: '5xx, although it was sent',
    short: 'always',
    strike: ({ ground }) => hit(ground, { kind: 'status500After', message: 'Timed Out' }),
  },
  {
    name: 'slow',
    title: 'slow answers',
    short: 'never',
    async strike({ ground }) {
      const done = await hit(ground, { kind: 'slow', delayMs: SLOW_MS });
      return `${done}, answered after ${SLOW_MS / 1_000} s`;
    },
  },
  {
    name: 'acks',
    title: 'acks come twice, out of order, or never',
    short: 'always',
    async strike({ ground }) {
      const events = ['message.ack', 'message.any'];
      const { sandbox } = ground;
      await sandbox.arm({ webhook: 'lose', events, probability: 0.1 });
      await sandbox.arm({ webhook: 'reorder', events, probability: 0.5, delayMs: 1_500 });
      await sandbox.arm({ webhook: 'duplicate', events, probability: 0.5 });
      await pause(DISORDER_MS);
      await sandbox.disarm();
      return `for ${DISORDER_MS / 1_000} s: half twice, half late, a tenth lost`;
    },
  },
  {
    name: 'breaks',
    title: 'connections to the backend break',
    short: 'never',
    async strike({ ground }) {
      await ground.sandbox.arm({ refuse: true });
      await pause(BREAKS_MS);
      await ground.sandbox.arm({ refuse: false });
      return `for ${BREAKS_MS / 1_000} s`;
    },
  },
  {
    name: 'backend',
    title: 'the backend is down',
    short: 'never',
    async strike({ ground, short }) {
      const downMs = short ? OUTAGE_MS.short : OUTAGE_MS.long;
      await ground.sandbox.arm({ downMs });
      await pause(downMs);
      return `connections refused for ${downMs / 1_000} s`;
    },
  },
];

/** Lets the fault hit some calls of each route, and returns how many calls there were. */
async function hit(ground: Ground, fault: { kind: string; message?: string; delayMs?: number }): Promise<string> {
  const { sandbox } = ground;
  const before = (await sandbox.sends()).length;
  await armEachRoute(ground, fault, HIT_OF_A_ROUTE);
  const goal = 2 * HIT_OF_A_ROUTE;
  await until('sends to be hit', async () => (await sandbox.sends()).length >= before + goal);
  await sandbox.disarm();
  return `up to ${HIT_OF_A_ROUTE} sends of each kind`;
}
