import { describe, expect, it } from '@jest/globals';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { ago, changeRows, databaseNow, deleteRows, isBlocked, lockTable } from '../../support/rows.ts';
import { aSender, somebody } from '../sending/a-sender.ts';

const api = await apiOfThisFile('work-health');
const sender = await aSender(api, 'health');
const status = async () => (await call(api, 'GET', '/api/v1/status')).body;

describe('work that the engine is late with', () => {
  it('shows in the public status, in /readyz and for the operator, who alone sees figures', async () => {
    expect(await status()).toMatchObject({ status: 'ok', delays: [] });
    await sender.send({ to: somebody(), text: 'Hello' });
    // Nothing here starts workflows or posts events, so on a slow machine these would be late, too.
    await deleteRows(api.database, 'dispatch');
    await deleteRows(api.database, 'delivery');
    await changeRows(api.database, 'agency', { activatedAt: null });
    await changeRows(api.database, 'message', { createdAt: ago({ minutes: 90 }), readyAt: ago({ minutes: 90 }) });
    await changeRows(api.database, 'session', { status: 'WORKING', statusChangedAt: ago({ hours: 2 }) });

    // Readers share an answer that is some seconds old.
    await eventually(async () => (await status())['status'] === 'degraded');
    expect(await status()).toMatchObject({
      delays: [{ work: 'messages', minutes: expect.any(Number) }],
      dependencies: [{ name: 'work', ok: false, reason: expect.not.stringMatching(/\d/) }],
    });
    const ready = await call(api, 'GET', '/readyz');
    expect(ready).toMatchObject({
      status: 200,
      body: {
        ready: true,
        dependencies: [
          {
            name: 'work',
            ok: false,
            reason: expect.stringMatching(/^work is late: messages that nobody tried \(oldest \d+ s\)$/),
            details: { untriedMessages: { count: 1 } },
          },
        ],
      },
    });
    expect(await call(api, 'GET', '/api/v1/admin/engine-work', { key: MASTER_KEY })).toMatchObject({
      status: 200,
      body: {
        untriedMessages: { count: 1, oldestSeconds: expect.any(Number) },
        delays: [{ work: 'messages', seconds: expect.any(Number) }],
        dependencies: [{ name: 'work', ok: false, ms: expect.any(Number) }],
      },
    });
    const metrics = await (await fetch(api.metricsUrl)).text();
    expect(metrics).toMatch(/^engine_work_wait_seconds\{kind="messages"\} 5\d{3}/m);
    expect(metrics).toMatch(/^engine_work_wait_seconds\{kind="promises"\} 0$/m);
    expect(metrics).toMatch(/^engine_dependency_answer_seconds\{kind="work"\} \d/m);

    await changeRows(api.database, 'session', { status: 'STOPPED', statusChangedAt: databaseNow });
    await eventually(async () => (await status())['status'] === 'ok');
    expect(await status()).toMatchObject({ delays: [] });
  });

  it('is what the last read has found, while the next one takes long', async () => {
    const work = async () => (await call(api, 'GET', '/readyz')).body['dependencies'];
    const isWell = [{ name: 'work', ok: true, reason: null }];
    await eventually(async () => (await status())['status'] === 'ok');
    await api.database.transaction(async (tx) => {
      await lockTable(tx, 'ai_turn');
      // The read begins with the first look after the kept answer is old.
      await eventually(async () => {
        expect(await work()).toMatchObject(isWell);
        return isBlocked(api.database, 'work-health');
      });
      expect(await work()).toMatchObject(isWell);
      expect(await status()).toMatchObject({ status: 'ok', delays: [] });
    });
    await eventually(async () => !(await isBlocked(api.database, 'work-health')));
    expect(await work()).toMatchObject(isWell);
  });
});
