import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { defineAutomation } from '../../../workflows/automations/define.ts';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { countRows } from '../../support/rows.ts';

const welcomeContact = defineAutomation({
  title: 'Weekly',
  description: 'Weekly.',
  version: 1,
  params: z.object({ at: z.string().default('09:00') }),
  texts: {},
  on: ({ at }) => ({ event: 'schedule', at }),
  run: () => Promise.resolve(),
});

describe('an automation whose `on` makes no trigger', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine({ automations: new Catalogue({ welcomeContact }) });
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'no-trigger' });
  });
  afterAll(() => engine.close());

  const set = (params: object) =>
    call(engine, 'PUT', '/api/v1/automations/welcome-contact', {
      key: agency.dashboardKey,
      body: { tenantId: agency.tenantId, enabled: true, params },
    });

  it('is refused where it is switched on, by the pointer of its parameters, and stores nothing', async () => {
    const { status, body } = await set({ at: '9:00' });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ pointer: '/params', message: expect.stringContaining('/on/at') }] });
    expect(await countRows(engine.database, 'automation', { definition: 'welcome-contact' })).toBe(0);
    expect((await set({ at: '10:00' })).status).toBe(200);
    expect(await countRows(engine.database, 'automation', { definition: 'welcome-contact' })).toBe(1);
  });

  it('ends the process that loads its file, and names the file and the place', async () => {
    const root = join(import.meta.dirname, '../../..');
    const directory = await mkdtemp(join(tmpdir(), 'automation-'));
    const file = join(directory, 'each-monday.ts');
    const define = pathToFileURL(join(root, 'workflows/automations/define.ts')).href;
    const schemas = pathToFileURL(join(root, 'node_modules/zod/index.js')).href;
    await writeFile(
      file,
      `import { z } from ${JSON.stringify(schemas)};
import { defineAutomation } from ${JSON.stringify(define)};
defineAutomation({ title: 'T', description: 'D.', version: 1, params: z.object({}), texts: {},
  on: () => ({ event: 'schedule', at: '9:00' }), run: () => Promise.resolve() });
`,
    );
    const ended = promisify(execFile)(process.execPath, [file]);
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/`on` must return a trigger: \/on\/at \([^]*each-monday\.ts/),
    });
    await rm(directory, { recursive: true });
  });
});
