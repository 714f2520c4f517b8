import { z } from 'zod';
import { call } from '../call.ts';
import type { Stage } from '../stage.ts';
import { until } from '../until.ts';

const Ready = z.object({
  ready: z.boolean(),
  dependencies: z.array(z.object({ name: z.string(), ok: z.boolean() })),
});

export async function checkHealth({ target, terminal }: Stage): Promise<void> {
  // A check that takes too long under load counts as failed, and is made again.
  const names = await until('all dependencies to be well', async () => {
    const answer = await call(target.url, 'GET', '/readyz').catch((error: unknown) => {
      const next = 'start the engine with "npm start" in this directory, or give its address with --url';
      throw new Error(`${target.url} cannot be reached: ${next}.`, { cause: error });
    });
    const { ready, dependencies } = Ready.parse(answer.body);
    // Work of before may be late on this machine, which keeps no story from being shown.
    return ready && dependencies.every(({ name, ok }) => ok || name === 'work') && dependencies.map(({ name }) => name);
  });
  terminal.detail('→ GET /readyz');
  terminal.detail(`← 200 ready; ${names.map((name) => `${name} ok`).join(', ')}`);
}
