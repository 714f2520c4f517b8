import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { workflowId } from '../../domain/names.ts';
import { call, registerDashboard } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
import type { TestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';

const run = promisify(execFile);
const NAME = 'messaging-engine';
const TARGET = { agencyId: 'versions', tenantId: 't1' };

describe('a worker with a build id', () => {
  let engine: TestEngine;
  let key: string;
  let supervisor: string;

  beforeAll(async () => {
    engine = await startEngine({ version: { deploymentName: NAME, buildId: 'one' } });
    key = await registerDashboard(engine, { agencyId: TARGET.agencyId, dashboardUrl: 'http://127.0.0.1:9/' });
    const made = await call(engine, 'POST', '/api/v1/sessions', { key, body: TARGET });
    supervisor = workflowId('superviseSession', String(made.body['id']));
  });
  afterAll(() => engine.close());

  /** The commands of docs/operate/upgrade.md. */
  const deployment = async (command: string, buildId: string): Promise<string> => {
    const address = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
    const version = ['--deployment-name', NAME, '--build-id', buildId];
    const server = ['--address', address, '--namespace', engine.namespace];
    const unasked = command === 'set-current-version' ? ['--yes'] : [];
    const cli = process.env['TEST_TEMPORAL_CLI'] ?? '';
    const { stdout } = await run(cli, ['worker', 'deployment', command, ...version, ...server, ...unasked]);
    return stdout;
  };
  const isKnown = (buildId: string) =>
    eventually(() => deployment('describe-version', buildId).catch(() => undefined), { what: `version ${buildId}` });
  /** Asks again: the server gives up on the command after seconds of a busy machine, and setting it twice is safe. */
  const makeCurrent = (buildId: string) =>
    eventually(() => deployment('set-current-version', buildId).catch(() => undefined), {
      what: `version ${buildId} to be current`,
    });

  const buildIdOf = async (id: string): Promise<string | null | undefined> => {
    const { raw } = await engine.temporal.workflow.getHandle(id).describe();
    return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
  };
  const send = async (): Promise<string> => {
    const body = { ...TARGET, to: '+15550101234', text: 'to be sent' };
    const sent = await call(engine, 'POST', '/api/v1/messages/send', { key, body });
    const id = workflowId('deliverMessage', String(sent.body['messageId']));
    await eventually(() =>
      engine.temporal.workflow
        .getHandle(id)
        .describe()
        .catch(() => undefined),
    );
    await engine.temporal.workflow.getHandle(id).result();
    return id;
  };

  it('works from the moment on in which its version is made current, and not before', async () => {
    const handle = engine.temporal.workflow.getHandle(supervisor);
    await eventually(() => handle.describe().catch(() => undefined), { what: 'the supervisor to be started' });
    await isKnown('one');
    const before = Date.now();
    await makeCurrent('one');
    const query = new URLSearchParams(TARGET).toString();
    await eventually(async () => {
      const { body } = await call(engine, 'GET', `/api/v1/sessions/status?${query}`, { key });
      return body['status'] === 'WORKING';
    });
    const { events } = await handle.fetchHistory();
    const first = events?.find(({ workflowTaskStartedEventAttributes }) => workflowTaskStartedEventAttributes);
    expect(Number(first?.eventTime?.seconds) * 1_000 + Number(first?.eventTime?.nanos) / 1e6).toBeGreaterThanOrEqual(
      before,
    );
    expect(await buildIdOf(await send())).toBe('one');
  });

  it('leaves new and open executions to the next version when that is made current, and may stop', async () => {
    const next = await engine.startVersion({ deploymentName: NAME, buildId: 'two' });
    try {
      await isKnown('two');
      expect(await buildIdOf(await send())).toBe('one');
      await makeCurrent('two');
      // The queues learn of it a moment later, and the command may miss its deadline.
      await eventually(async () => (await buildIdOf(await send())) === 'two', { what: 'a message at version two' });
      await eventually(async () => /drain/i.test(await deployment('describe-version', 'one').catch(() => '')), {
        what: 'version one to drain',
      });
      await engine.stopWorker();
      await engine.temporal.workflow.getHandle(supervisor).signal('statusChanged');
      await eventually(async () => (await buildIdOf(supervisor)) === 'two', { what: 'the supervisor at version two' });
      expect(await buildIdOf(await send())).toBe('two');
    } finally {
      await next.stop();
    }
  });
});
