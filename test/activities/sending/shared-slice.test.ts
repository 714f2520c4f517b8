import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createCalls } from '../../../activities/sending/calls.ts';
import { createSend } from '../../../activities/sending/send.ts';
import { createSlice } from '../../../activities/sending/slice.ts';
import { handOver } from '../../../db/agent/handover.ts';
import { insertTurn } from '../../../db/agent/turn.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { findMessageById } from '../../../db/conversations/message.ts';
import { acceptSend } from '../../../db/sending/accept.ts';
import { claimMessage } from '../../../db/sending/claim.ts';
import { writeSendLimits } from '../../../db/sending/in-flight/limits.ts';
import { applyAcks } from '../../../db/sending/outcome.ts';
import { createFairSlots } from '../../../domain/fair-slots.ts';
import { PRIORITY } from '../../../domain/names.ts';
import { everywhere, onlyBackend } from '../../adapters/backend/only-backend.ts';
import { startStub } from '../../adapters/backend/stub-backend.ts';
import { SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { eventually } from '../../support/eventually.ts';
import { changeRows, deleteRows, earlier, findRow, findRows, plus } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';

const { database, sessionId } = await databaseOfThisFile();

describe('sendSlice: answers of the agent that are due together', () => {
  let people = 0;

  /** The agent answers somebody new; the answer is released at once. */
  async function anAnswer(): Promise<{ messageId: string; conversationId: string }> {
    people += 1;
    return database.transaction(async (tx) => {
      const { id } = await ensureConversation(
        tx,
        { ...SCOPE, sessionId },
        { chatId: `1555${String(5_100_000 + people)}@c.us` },
      );
      const at = tx.now.toISOString();
      const heard = { messageIds: ['msg_0'], messageId: 'msg_0', at, receivedAt: at };
      const turnId = await insertTurn(tx, id, heard);
      const accepted = await acceptSend(
        tx,
        { ...SCOPE, sessionId },
        {
          recipient: { conversationId: id },
          parts: [{ kind: 'text', body: `answer ${people}` }],
          origin: 'ai',
          expires: { afterMs: 60_000 },
          fence: { conversationEpoch: 0, tenantEpoch: 0, turnId },
        },
      );
      if (accepted.outcome !== 'accepted') throw new Error('The answer was not accepted.');
      return { messageId: accepted.messageId, conversationId: id };
    });
  }

  async function answers(count: number): Promise<{ messageId: string; conversationId: string }[]> {
    const made = [];
    for (let n = 0; n < count; n += 1) made.push(await anAnswer());
    await deleteRows(database, 'dispatch');
    return made;
  }

  /** A worker whose calls to the backend are answered once `mayAnswer` resolves. */
  async function aSender(
    mayAnswer: Promise<void> = Promise.resolve(),
    { status = 201, numberExists = true, perOwner = 4 } = {},
  ) {
    const texts: unknown[] = [];
    const stopping = new AbortController();
    const stub = await startStub((request) => {
      if (request.path === '/api/server/version') return { json: { version: '2026.7.1', engine: 'GOWS' } };
      if (request.path.includes('check-exists')) return { json: { numberExists } };
      texts.push(request.body['text']);
      const key = { remoteJid: '1@s.whatsapp.net', fromMe: true, id: `3EB0AI${people}${texts.length}` };
      return (response) => {
        void mayAnswer.then(() => {
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ key }));
        });
      };
    });
    const deps = {
      database,
      backends: onlyBackend(stub.backend),
      limits: everywhere(createFairSlots({ perOwner, inAll: 2 * perOwner })),
      stopping: stopping.signal,
    };
    const sendSlice = createSlice(deps, createSend(deps, createCalls(deps)));
    return {
      texts,
      stop: () => stopping.abort(),
      send: (messageIds: string[]) =>
        inActivity(sendSlice, { slice: messageIds[0] ?? '', messageIds }, { isLocal: true, attempt: 1 }),
      [Symbol.asyncDispose]: () => stub[Symbol.asyncDispose](),
    };
  }

  /** The executions of their own that are promised. The dispatcher puts first attempts into slices; these are second ones. */
  const promised = () =>
    findRows(
      database,
      'dispatch',
      { action: 'start' },
      { id: 'workflowId', priority: 'priority', attempts: 'attempts' },
    );
  const ownExecution = (id: string) => ({ id: `message/${id}`, priority: PRIORITY.ai, attempts: 1 });

  const rowOf = (id: string) => database.read((queries) => findMessageById(queries, id));

  it('are not sent to a conversation that a person takes over while others are called', async () => {
    const mayAnswer = Promise.withResolvers<void>();
    await using sender = await aSender(mayAnswer.promise);
    const all = await answers(6);
    const ids = all.map(({ messageId }) => messageId);
    const sending = sender.send(ids);
    // Four are called at a time, so the last two wait for their answers.
    await eventually(() => sender.texts.length === 4);
    const [, , , , taken] = all;
    await database.transaction((tx) =>
      handOver(tx, { ...SCOPE, sessionId: null }, taken?.conversationId ?? '', {
        cause: 'assign',
        mode: 'human_takeover',
      }),
    );
    mayAnswer.resolve();
    expect(await sending).toEqual({ sent: 5, ended: 0, onTheirOwn: 1, left: [] });
    expect(sender.texts).toHaveLength(5);
    expect(await promised()).toEqual([ownExecution(taken?.messageId ?? '')]);
    expect(await rowOf(taken?.messageId ?? '')).toMatchObject({
      status: 'cancelled',
      errorCode: 'taken_over',
      attempts: 0,
      slice: null,
    });
  });

  it('are refused by their claim when the epoch has changed and nobody has cancelled them', async () => {
    await using sender = await aSender();
    const [taken, ...others] = await answers(3);
    await changeRows(
      database,
      'conversation',
      { mode: 'human_takeover', epoch: plus(1) },
      { id: taken?.conversationId },
    );
    const ids = [taken, ...others].map((answer) => answer?.messageId ?? '');
    expect(await sender.send(ids)).toEqual({ sent: 2, ended: 0, onTheirOwn: 1, left: [] });
    expect(await rowOf(ids[0] ?? '')).toMatchObject({ status: 'cancelled', errorCode: 'taken_over' });
    expect(await promised()).toEqual([ownExecution(ids[0] ?? '')]);
  });

  it('that fail have executions of their own, by which operators find them', async () => {
    await using sender = await aSender(undefined, { numberExists: false });
    const all = await answers(3);
    expect(await sender.send(all.map(({ messageId }) => messageId))).toEqual({
      sent: 0,
      ended: 0,
      onTheirOwn: 3,
      left: [],
    });
    for (const { messageId } of all) {
      expect(await rowOf(messageId)).toMatchObject({ status: 'failed', errorCode: 'not_on_network', slice: null });
    }
    const ids = (await promised()).map(({ id }) => id).toSorted();
    expect(ids).toEqual(all.map(({ messageId }) => `message/${messageId}`).toSorted());
  });

  it('are called as many at a time as the session may have in flight', async () => {
    await database.statement((tx) => writeSendLimits(tx, { perSession: 6, perBackend: 64 }));
    const mayAnswer = Promise.withResolvers<void>();
    await using sender = await aSender(mayAnswer.promise, { perOwner: 6 });
    const sending = sender.send((await answers(6)).map(({ messageId }) => messageId));
    await eventually(() => sender.texts.length === 6);
    mayAnswer.resolve();
    expect(await sending).toMatchObject({ sent: 6 });
  });

  it('that the slice does not begin in time do not wait for its second activity: each tries again alone', async () => {
    await using sender = await aSender();
    const [answer] = await answers(1);
    const id = answer?.messageId ?? '';
    sender.stop();
    expect(await sender.send([id])).toEqual({ sent: 0, ended: 0, onTheirOwn: 1, left: [] });
    expect(sender.texts).toEqual([]);
    expect(await promised()).toEqual([ownExecution(id)]);
    expect(await findRow(database, 'message', { id }, ['status', 'attempts'])).toEqual({
      status: 'queued',
      attempts: 0,
    });
  });

  it('continue alone under their own priority, and not in a slice again, when their outcome is unknown', async () => {
    await using sender = await aSender(undefined, { status: 500 });
    const [lost] = await answers(1);
    const id = lost?.messageId ?? '';
    expect(await sender.send([id])).toEqual({ sent: 0, ended: 0, onTheirOwn: 1, left: [] });
    expect(await promised()).toEqual([ownExecution(id)]);
  });

  it('of which a worker that was killed has called one: the next settles it alone and sends the others', async () => {
    await using sender = await aSender();
    const ids = (await answers(3)).map(({ messageId }) => messageId);
    const [called = '', ...others] = ids;
    const killed = { token: randomUUID(), owner: '4711', chosenNetworkId: null, slice: called };
    await database.transaction((tx) => claimMessage(tx, called, killed));
    expect(await sender.send(ids)).toEqual({ sent: 2, ended: 0, onTheirOwn: 1, left: [] });
    expect(sender.texts).toHaveLength(2);
    expect(await promised()).toEqual([ownExecution(called)]);
    expect(await rowOf(called)).toMatchObject({ status: 'sending', slice: null, attempts: 1 });
    for (const id of others) expect(await rowOf(id)).toMatchObject({ status: 'sent', slice: called, attempts: 1 });
  });

  it('signal nobody when their acks come late: the rows alone say how far they are', async () => {
    await using sender = await aSender();
    const all = await answers(3);
    const ids = all.map(({ messageId }) => messageId);
    expect(await sender.send(ids)).toMatchObject({ sent: 3 });
    await changeRows(database, 'message', { sentAt: earlier({ seconds: 10 }) }, { id: ids });
    const networkIds = await Promise.all(ids.map(async (id) => (await rowOf(id))?.networkId ?? ''));
    const levels = [2, 3, -1] as const;
    await database.transaction((tx) =>
      applyAcks(
        tx,
        networkIds.map((networkId, index) => ({ sessionId, networkId, level: levels[index] ?? 2, error: null })),
      ),
    );
    const statuses = await Promise.all(ids.map(async (id) => (await rowOf(id))?.status));
    expect(statuses).toEqual(['delivered', 'read', 'failed']);
    expect(await findRows(database, 'dispatch', { signal: 'acked' }, ['workflowId'])).toEqual([]);
  });
});
