import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { doctor } from '../../bin/cli/doctor/doctor.ts';
import { LEVELS } from '../../bin/cli/doctor/finding.ts';
import { loadConfig } from '../../config/config.ts';
import type { Config } from '../../config/config.ts';
import { anAgencyWithScopedKey } from '../support/client.ts';
import type { Agency } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
import type { TestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { addRow, changeRows, databaseNow, deleteRows, findRows } from '../support/rows.ts';

const Report = z.object({
  problems: z.int(),
  warnings: z.int(),
  findings: z.array(
    z.object({ about: z.string(), level: z.enum(LEVELS), says: z.string(), todo: z.array(z.string()) }),
  ),
});

async function examine(config: Config) {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const code = await doctor({ config, running: null }, { json: true, say });
  const report = Report.parse(JSON.parse(lines.join('\n')));
  const about = (name: string) => report.findings.find((finding) => finding.about === name);
  const at = (level: string) => report.findings.filter((each) => each.level === level).map((each) => each.about);
  return { code, report, about, at, text: lines.join('\n') };
}

type Examined = Awaited<ReturnType<typeof examine>>;

/** The PostgreSQL of the tests is neither durable nor vacuumed, so that it is quick. */
const OF_THE_TESTS = ['Durability', 'Vacuum'];

describe('the doctor', () => {
  let engine: TestEngine;
  let agency: Agency;
  let config: Config;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'examined' });
    config = { ...engine.config, publicUrl: engine.url };
    // The schedule reconciles within half a minute.
    await eventually(async () => (await findRows(engine.database, 'repair', { name: 'reconcile' })).length);
  });
  afterAll(() => engine.close());

  it('finds an engine well, with the versions of its parts and who works at each queue', async () => {
    const problems = ({ at }: Examined) => at('problem').filter((name) => !OF_THE_TESTS.includes(name));
    const unknown = ({ report: { findings } }: Examined) => findings.filter(({ level }) => level === 'unknown');
    // A busy machine that does not answer in time is asked again.
    const isWell = async () => {
      const examined = await examine(config);
      return problems(examined).length + unknown(examined).length === 0;
    };
    await eventually(isWell).catch(() => undefined);
    const examined = await examine(config);
    expect([problems(examined), unknown(examined)]).toEqual([[], []]);
    const { about, report, text } = examined;
    expect(about('Backend default')).toMatchObject({
      level: 'ok',
      says: expect.stringMatching(/^version \d.*1 working/),
    });
    expect(about('Queues')?.says).toMatch(/engine: [1-9].*delivery: [1-9].*webhooks: [1-9].*ai: [1-9].*sync: [1-9]/);
    expect(about('Secrets')).toMatchObject({ level: 'ok', says: '4 of 4 are known here' });
    expect(report.findings.filter(({ level, todo }) => level === 'ok' && todo.length > 0)).toEqual([]);
    for (const secret of [config.engineApiKey, config.engineEncryptionKey]) expect(text).not.toContain(secret);
  });

  it('names a session that fails, a receiver that is disabled and what is parked, and what to do', async () => {
    const { id } = agency.session;
    await changeRows(engine.database, 'session', { silentSince: databaseNow }, { id });
    await changeRows(engine.database, 'endpoint', { status: 'disabled' }, { agencyId: 'examined' });
    await addRow(engine.database, 'parkedEvent', {
      id: 4711,
      sessionName: 'examined',
      requestKey: 'key',
      body: '{}',
      receivedAt: databaseNow,
      attempts: 9,
    });
    const { code, about } = await examine(config);
    expect(code).toBe(1);
    expect(about('Sessions')).toMatchObject({
      level: 'warning',
      todo: [expect.stringMatching(new RegExp(`^${id} of examined/t1 is silent since .*Update "restart"`))],
    });
    expect(about('Endpoints')).toMatchObject({
      level: 'warning',
      todo: [expect.stringMatching(/^whe_\S+ of examined is disabled.*resume it/)],
    });
    expect(about('Repairs')).toMatchObject({ level: 'problem', todo: [expect.stringContaining('parked-events')] });
    await deleteRows(engine.database, 'parkedEvent');
  });

  it('says that the database lacks a migration, that a secret is weak, and that a key is being replaced', async () => {
    await deleteRows(engine.database, 'mikroOrmMigrations', { name: '0052-automations' });
    const weak = {
      engineApiKey: 'change-me',
      workflowEngineInternalPsk: 'change-me',
      engineEncryptionKeyPrevious: 'old',
    };
    const { code, about } = await examine({ ...config, ...weak });
    expect(code).toBe(1);
    expect(about('Schema')).toMatchObject({ level: 'problem', says: 'lacks 1 migrations: 0052-automations' });
    expect(about('Secrets')?.todo).toEqual([
      expect.stringMatching(/^ENGINE_API_KEY is weak/),
      expect.stringMatching(/^WORKFLOW_ENGINE_INTERNAL_PSK is weak/),
      expect.stringMatching(/^WORKFLOW_ENGINE_INTERNAL_PSK has the value of another secret/),
    ]);
    expect(about('Rotation')?.level).toBe('warning');
    await addRow(engine.database, 'mikroOrmMigrations', { name: '0052-automations' });
  });

  it('says that a backend does not answer, and one that holds sessions is not configured', async () => {
    const [backend] = config.backends;
    if (!backend) throw new Error('The engine has a backend.');
    const { about } = await examine({ ...config, backends: [{ ...backend, id: 'other', url: 'http://127.0.0.1:9' }] });
    expect(about('Backend other')).toMatchObject({ level: 'problem', todo: [expect.stringMatching(/^Start it/)] });
    expect(about('Backend default')).toMatchObject({
      level: 'problem',
      says: expect.stringContaining('has 1 session'),
    });
  });

  it('tells of an engine that is down what can be told, and what is in its way', async () => {
    const down = loadConfig({ DATA_DIR: '/nowhere', PORT: new URL(engine.url).port });
    const { code, about, at } = await examine({ ...down, publicUrl: 'http://127.0.0.1:9' });
    expect(code).toBe(1);
    expect(at('problem')).toEqual(expect.arrayContaining(['API', 'Database', 'Temporal', 'Ports']));
    expect(about('Ports')?.says).toContain(`PORT ${new URL(engine.url).port}`);
    expect(about('Node')?.level).toBe('ok');
    expect(at('unknown').length).toBeGreaterThan(0);
  });
});
