import { setTimeout as pause } from 'node:timers/promises';
import { endInBusyDrain } from './busy-drain.ts';
import { Halves } from './halves.ts';
import type { Fault } from '../scene.ts';

const MAX_LIFE_MS = 1_500;

/** Kills the engine at a random moment; it goes on as two processes, which die one after the other. */
export const HALVES_FAULT: Fault = {
  name: 'halves',
  title: 'API and worker killed one by one, the worker in a busy drain',
  short: 'always',
  async strike(scene) {
    const { ground, random, short } = scene;
    await pause(random() * MAX_LIFE_MS);
    await ground.killEngine();
    const halves = await Halves.start(ground.machine);
    const done: string[] = [];
    const asOne = async (): Promise<void> => {
      await halves.stop();
      await ground.startEngine();
    };
    const asWorker = (): Promise<void> => halves.run('worker');
    try {
      await halves.end('api', 'SIGKILL');
      await halves.run('api');
      if (!short) done.push(`worker stopped: ${await endInBusyDrain(scene, halves, 'SIGTERM', asWorker)}`);
      // The short form has no time for one more process.
      const restart = short ? asOne : asWorker;
      done.push(`worker killed: ${await endInBusyDrain(scene, halves, 'SIGKILL', restart)}`);
      if (!short) await asOne();
    } finally {
      await halves.stop();
    }
    return done.join('; ');
  },
};
