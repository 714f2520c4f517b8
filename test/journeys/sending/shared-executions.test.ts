import { WorkflowNotFoundError } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseWorkflowId, workflowId } from '../../../domain/names.ts';
import { anAgencyWithScopedKey, awaitWorking, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { countRows, findRows } from '../../support/rows.ts';
import { personWrites, sendsOf } from '../../support/sandbox-record.ts';
import { untilStatus } from '../../support/sends.ts';
import type { Passport } from '../../support/sends.ts';

/** Answers null for an execution that is not there yet. */
function notFound(error: unknown): null {
  if (error instanceof WorkflowNotFoundError) return null;
  throw error;
}

const MANY = 20;
/** The sandbox's person whose answer is lost although the message goes out. */
const ANSWER_LOST = '15550400005';

describe('messages that are due at the same moment', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    // The message whose answer is lost reaches the network, however late on a busy machine: it is never absent.
    const settleDelays = { afterErrorAnswerMs: 60_000, afterBrokenConnectionMs: 60_000, longestFileCallMs: 0 };
    engine = await startEngine({ settleDelays: { ...settleDelays, giveUpAfterMs: 300_000 } });
    // One agency, because beside another one the messages of a session start one after the other.
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'together' });
  });
  afterAll(() => engine.close());

  const post = async (path: string, body: object = {}, key = agency.scopedKey) => {
    const answer = await call(engine, 'POST', path, { key, body });
    expect([200, 202]).toContain(answer.status);
    return answer.body;
  };
  const act = (what: 'start' | 'stop') =>
    post(`/api/v1/sessions/${agency.session.id}/${what}`, {}, agency.dashboardKey);

  /** Does the work while the session is stopped, so that all that it sends is due once the session works again. */
  async function whileStopped<T>(work: () => Promise<T>): Promise<T> {
    await act('stop');
    const result = await work();
    await act('start');
    await awaitWorking(engine, agency.dashboardKey, { agencyId: agency.agencyId, tenantId: agency.tenantId });
    return result;
  }

  /** The conversations that these people have begun, in their order. */
  async function conversationsOf(phones: readonly string[]): Promise<string[]> {
    for (const from of phones) await personWrites(engine, agency.session.name, { from, text: 'Hello?' });
    return eventually(async () => {
      const where = { sessionId: agency.session.id, chatId: phones.map((phone) => `${phone}@c.us`) };
      const found = await findRows(engine.database, 'conversation', where, ['id'], 'chatId');
      return found.length === phones.length && found.map(({ id }) => id);
    });
  }

  /**
   * Expects that some of these messages were handed over as a slice, which is named after its first message. On a slow
   * machine a message may leave its slice before its turn, so the executions of all are not counted.
   */
  async function expectSlices(messageIds: readonly string[]): Promise<void> {
    const described = await Promise.all(
      messageIds.map((id) =>
        engine.temporal.workflow.getHandle(workflowId('deliverSlice', id)).describe().catch(notFound),
      ),
    );
    expect(described.filter((slice) => slice !== null).map(({ type }) => type)).toContain('deliverSlice');
  }

  /** The execution of a message that has left its slice may be started after the message was read. */
  async function expectExecutions(passports: readonly Passport[]): Promise<void> {
    for (const id of new Set(passports.map((passport) => passport.workflowId ?? ''))) {
      const handle = engine.temporal.workflow.getHandle(id);
      const type = await eventually(async () => (await handle.describe().catch(notFound))?.type);
      expect(parseWorkflowId(id)?.type).toBe(type);
    }
  }

  it('are replies that share executions; each is read once, one of unknown outcome and one that is cancelled end as alone', async () => {
    const phones = [ANSWER_LOST, ...Array.from({ length: MANY }, (_, index) => `155504001${String(10 + index)}`)];
    const conversations = await conversationsOf(phones);
    const [lost, cancelled, ...others] = await whileStopped(async () => {
      const ids: string[] = [];
      for (const [index, id] of conversations.entries()) {
        const body = { content: `reply ${index}`, attachments: [] };
        ids.push(String((await post(`/api/v1/inbox/conversations/${id}/messages`, body))['messageId']));
      }
      await post(`/api/v1/messages/${ids[1]}/cancel`);
      return ids;
    });

    const passports = await Promise.all(others.map((id) => untilStatus(engine, agency, id, 'read')));
    await expectSlices([lost ?? '', ...others]);
    await expectExecutions(passports);

    const found = await untilStatus(engine, agency, lost ?? '', 'read');
    expect(found).toMatchObject({ workflowId: `message/${lost}` });
    expect(found.history).toContainEqual(expect.objectContaining({ reason: 'settling' }));
    const unsent = await untilStatus(engine, agency, cancelled ?? '', 'cancelled');
    expect(unsent).toMatchObject({ attempts: 0, error: { code: 'cancelled_by_request' } });

    const texts = (await sendsOf(engine, agency.session.name)).map(({ body }) => body ?? '');
    const wanted = conversations.map((_, index) => `reply ${index}`).filter((text) => text !== 'reply 1');
    expect(texts.toSorted()).toEqual(wanted.toSorted());
  });

  it('are sends by the API that share executions; the next message of each conversation follows its first', async () => {
    const phones = Array.from({ length: MANY }, (_, index) => `155504002${String(10 + index)}`);
    const ids = await whileStopped(async () => {
      const sent: string[] = [];
      for (const text of ['first', 'second']) {
        for (const to of phones) sent.push(String((await post('/api/v1/messages/send', { to, text }))['messageId']));
      }
      return sent;
    });
    await expectExecutions(await Promise.all(ids.map((id) => untilStatus(engine, agency, id, 'read'))));
    await expectSlices(ids);
    const sends = await sendsOf(engine, agency.session.name);
    for (const phone of phones) {
      const heard = sends.filter(({ chatId }) => chatId === `${phone}@c.us`).map(({ body }) => body);
      expect(heard).toEqual(['first', 'second']);
    }
  });

  it('are replies of whose slice the worker is stopped midway: the next worker sends the others, each once', async () => {
    const phones = Array.from({ length: MANY }, (_, index) => `155504004${String(10 + index)}`);
    const conversations = await conversationsOf(phones);
    const before = (await sendsOf(engine, agency.session.name)).length;
    const { name } = agency.session;
    await engine.control('POST', '/faults', {
      route: 'sendText',
      kind: 'slow',
      delayMs: 1_500,
      count: MANY,
      session: name,
    });
    const ids = await whileStopped(async () => {
      const sent: string[] = [];
      for (const [index, id] of conversations.entries()) {
        const body = { content: `midway ${index}`, attachments: [] };
        sent.push(String((await post(`/api/v1/inbox/conversations/${id}/messages`, body))['messageId']));
      }
      return sent;
    });
    const called = { id: ids, status: 'sending' as const };
    await eventually(async () => (await countRows(engine.database, 'message', called)) > 0);
    await engine.stopWorker();
    await engine.control('DELETE', '/faults');
    await engine.startWorker();
    for (const id of ids) await untilStatus(engine, agency, id, 'read');
    await expectSlices(ids);
    const texts = (await sendsOf(engine, agency.session.name)).slice(before).map(({ body }) => body ?? '');
    expect(texts.toSorted()).toEqual(conversations.map((_, index) => `midway ${index}`).toSorted());
  });

  it('are sends of which one fails: it has an execution of its own, which tells its outcome', async () => {
    // The sandbox's people with this ending are not on the network.
    const phones = ['15550460010', ...Array.from({ length: MANY }, (_, index) => `155504006${String(30 + index)}`)];
    const ids = await whileStopped(async () => {
      const sent: string[] = [];
      for (const to of phones)
        sent.push(String((await post('/api/v1/messages/send', { to, text: 'many' }))['messageId']));
      return sent;
    });
    const [absent = '', ...others] = ids;
    for (const id of others) await untilStatus(engine, agency, id, 'read');
    const failed = await untilStatus(engine, agency, absent, 'failed');
    expect(failed).toMatchObject({ workflowId: `message/${absent}`, error: { code: 'not_on_network' } });
    const shown = await eventually(async () => {
      const found = await engine.temporal.workflow.getHandle(`message/${absent}`).describe().catch(notFound);
      return found?.status.name === 'COMPLETED' && found;
    });
    expect(shown.searchAttributes).toMatchObject({ Outcome: ['failed'], MessageId: [absent] });
  });

  it('are one or two: each has an execution of its own', async () => {
    const ids = await whileStopped(async () => {
      const sent: string[] = [];
      for (const to of ['15550400310', '15550400311']) {
        sent.push(String((await post('/api/v1/messages/send', { to, text: 'few' }))['messageId']));
      }
      return sent;
    });
    for (const id of ids) {
      expect(await untilStatus(engine, agency, id, 'read')).toMatchObject({ workflowId: `message/${id}` });
    }
  });
});
