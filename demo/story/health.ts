import { z } from 'zod';
import { expect, shown } from '../stage.ts';
import type { Stage } from '../stage.ts';

const Ready = z.object({
  ready: z.boolean(),
  dependencies: z.array(z.object({ name: z.string(), ok: z.boolean(), reason: z.string().nullable() })),
});

export async function checkHealth(stage: Stage): Promise<void> {
  const { body } = await shown(stage, 200, 'GET', '/readyz');
  for (const { name, ok, reason } of Ready.parse(body).dependencies) {
    expect(ok, `${name} does not work: ${reason}`);
  }
}
