import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../demo/until.ts';
import type { Ground } from '../ground.ts';
import type { Fault, Scene } from '../scene.ts';

const SKEWS_MS = [30_000, 120_000];
const STEPS = 8;
const STEP_MS = 1_000;
/** Long enough for the engine to look for the lost sends while the clock is wrong. */
const LOOKED_FOR_MS = 5_000;
const FILE_ROUTES = ['sendImage', 'sendFile'];
/**
 * The ways in which answers are lost. Only texts hang, because the engine waits a minute for a text and three for a
 * file.
 */
const TEXT_LOSSES = ['drop', 'dropAfter', 'hangAfter', 'status500After'];
const OTHER_LOSSES = ['drop', 'dropAfter', 'status500After'];
/** The losses that can be settled within the time of the short form. */
const SHORT = { texts: ['drop', 'dropAfter', 'status500After'], others: ['status500After'] };

/**
 * Faults of the backend's clock. The engine finds a lost send by its time, and believes that it is absent only by the
 * backend's clock.
 */
export const CLOCK_FAULTS: readonly Fault[] = [
  {
    name: 'clock-ahead',
    title: "the backend's clock is ahead while answers are lost",
    short: 'always',
    strike: (scene) => loseWhileSkewed(scene, 1),
  },
  {
    name: 'clock-behind',
    title: "the backend's clock is behind while answers are lost",
    short: 'never',
    strike: (scene) => loseWhileSkewed(scene, -1),
  },
  {
    name: 'clock-steps',
    title: "the backend's clock steps to and fro while sends hang",
    short: 'never',
    async strike({ ground, random }) {
      const { sandbox } = ground;
      const before = (await sandbox.sends()).length;
      for (const kind of ['hang', 'hangAfter']) await sandbox.arm({ route: 'sendText', kind, count: 2 });
      for (const route of FILE_ROUTES) await sandbox.arm({ route, kind: 'dropAfter', count: 2 });
      for (let step = 1; step <= STEPS; step += 1) {
        const sizes = [0, ...SKEWS_MS];
        const size = sizes[Math.floor(random() * sizes.length)] ?? 0;
        await sandbox.arm({ clockAheadMs: random() < 0.5 ? size : -size });
        await pause(STEP_MS);
      }
      await until('texts to hang', async () => (await texts(ground, before)) >= 4);
      await sandbox.disarm();
      return `${STEPS} steps of 0 s, 30 s or 120 s, and right in the end`;
    },
  },
];

async function loseWhileSkewed({ ground, short }: Scene, sign: 1 | -1): Promise<string> {
  const { sandbox } = ground;
  const skewsMs = short ? SKEWS_MS.slice(-1) : SKEWS_MS;
  const losses = short ? SHORT : { texts: TEXT_LOSSES, others: OTHER_LOSSES };
  for (const skewMs of skewsMs) {
    const before = (await sandbox.sends()).length;
    await sandbox.arm({ clockAheadMs: sign * skewMs });
    for (const kind of losses.texts) await sandbox.arm({ route: 'sendText', kind, count: 2 });
    for (const kind of losses.others) {
      for (const route of [...FILE_ROUTES, 'sendList', 'sendButtons']) await sandbox.arm({ route, kind, count: 1 });
    }
    await until('texts, files and lists to be hit', async () => {
      const sends = (await sandbox.sends()).slice(before);
      const count = (routes: readonly string[]) => sends.filter(({ route }) => routes.includes(route)).length;
      return count(['sendText']) >= 8 && count(FILE_ROUTES) >= 3 && count(['sendList']) >= 1;
    });
    await pause(LOOKED_FOR_MS);
    // Disarming the faults that are left also ends the skew.
    await sandbox.disarm();
  }
  return `by ${skewsMs.map((skewMs) => `${skewMs / 1_000} s`).join(', then by ')}`;
}

async function texts({ sandbox }: Ground, before: number): Promise<number> {
  return (await sandbox.sends()).slice(before).filter(({ route }) => route === 'sendText').length;
}
