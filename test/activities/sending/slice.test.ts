import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createCalls } from '../../../activities/sending/calls.ts';
import { createSend } from '../../../activities/sending/send.ts';
import { createSlice } from '../../../activities/sending/slice.ts';
import type { SliceResult } from '../../../activities/sending/slice.ts';
import { createFairSlots } from '../../../domain/fair-slots.ts';
import { acceptSend } from '../../../db/sending/accept.ts';
import { claimMessage } from '../../../db/sending/claim.ts';
import { findMessageById } from '../../../db/conversations/message.ts';
import { everywhere, onlyBackend } from '../../adapters/backend/only-backend.ts';
import { startStub } from '../../adapters/backend/stub-backend.ts';
import type { StubRequest } from '../../adapters/backend/stub-backend.ts';
import { SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { eventually } from '../../support/eventually.ts';
import { changeRows, deleteRows, refuseRows, rowsOf } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';

const version = { json: { version: '2026.7.1', engine: 'GOWS' } };
let sends = 0;
const sent = () => {
  sends += 1;
  return { status: 201, json: { key: { remoteJid: '1@s.whatsapp.net', fromMe: true, id: `3EB0FF${sends}` } } };
};

const { database, sessionId } = await databaseOfThisFile();

describe('sendSlice: the messages of a slice', () => {
  let people = 0;

  beforeEach(() => deleteRows(database, 'dispatch'));

  /** Accepts a text to somebody new, which is released at once. */
  async function aMessage(kind: 'text' | 'document' = 'text'): Promise<string> {
    people += 1;
    const accepted = await database.transaction((tx) =>
      acceptSend(
        tx,
        { ...SCOPE, sessionId },
        {
          recipient: { chatId: `1555010${String(3_000 + people)}@c.us` },
          parts: [{ kind, body: `text ${people}` }],
          origin: 'api',
          bulk: true,
          expires: { afterMs: 60_000 },
        },
      ),
    );
    if (accepted.outcome !== 'accepted') throw new Error('The message was not accepted.');
    await deleteRows(database, 'dispatch');
    return accepted.messageId;
  }

  const rowOf = (id: string) => database.read((queries) => findMessageById(queries, id));

  const promised = () =>
    rowsOf(
      database,
      sql<object>`select workflow_id as id, action, priority, not_before > clock_timestamp() as later from dispatch
        order by id`,
    );
  const ownExecution = (id: string, later = false) => ({ id: `message/${id}`, action: 'start', priority: 4, later });

  async function aSender(answer: (request: StubRequest) => ReturnType<Parameters<typeof startStub>[0]> = sent) {
    const texts: unknown[] = [];
    const stub = await startStub((request) => {
      if (request.path === '/api/server/version') return version;
      if (request.path.includes('check-exists')) return { json: { numberExists: true } };
      texts.push(request.body['text']);
      return answer(request);
    });
    const stopping = new AbortController();
    const deps = {
      database,
      backends: onlyBackend(stub.backend),
      limits: everywhere(createFairSlots({ perOwner: 4, inAll: 8 })),
      stopping: stopping.signal,
    };
    const sendSlice = createSlice(deps, createSend(deps, createCalls(deps)));
    return {
      texts,
      stop: () => stopping.abort(),
      send: (messageIds: string[], isLocal = true, attempt = 1): Promise<SliceResult> =>
        inActivity(sendSlice, { slice: messageIds[0] ?? '', messageIds }, { isLocal, attempt }),
      [Symbol.asyncDispose]: () => stub[Symbol.asyncDispose](),
    };
  }

  it('are sent, each under a claim that names the slice', async () => {
    await using sender = await aSender();
    const ids = [await aMessage(), await aMessage(), await aMessage(), await aMessage(), await aMessage()];
    expect(await sender.send(ids)).toEqual({ sent: 5, ended: 0, onTheirOwn: 0, left: [] });
    for (const id of ids) expect(await rowOf(id)).toMatchObject({ status: 'sent', slice: ids[0], attempts: 1 });
    expect(sender.texts).toHaveLength(5);
    expect(await promised()).toEqual([]);
  });

  it('are not sent again by another attempt', async () => {
    await using sender = await aSender();
    const ids = [await aMessage(), await aMessage()];
    await sender.send(ids);
    expect(await sender.send(ids)).toEqual({ sent: 2, ended: 0, onTheirOwn: 0, left: [] });
    expect(sender.texts).toHaveLength(2);
  });

  it('go on when the outcome of one is unknown, which gets an execution of its own', async () => {
    const [lost, other] = [await aMessage(), await aMessage()];
    const text = (await rowOf(lost))?.body;
    await using sender = await aSender(({ body }) => (body['text'] === text ? { status: 500, json: {} } : sent()));
    expect(await sender.send([lost, other])).toEqual({ sent: 1, ended: 0, onTheirOwn: 1, left: [] });
    expect(await rowOf(lost)).toMatchObject({ status: 'sending', slice: null });
    expect(await promised()).toEqual([ownExecution(lost)]);
  });

  it('of which a process that was killed has claimed one: it is not called again, but settled on its own', async () => {
    await using sender = await aSender();
    const [claimed, other] = [await aMessage(), await aMessage()];
    await database.transaction((tx) =>
      claimMessage(tx, claimed, { token: randomUUID(), owner: '4711', chosenNetworkId: null, slice: claimed }),
    );
    expect(await sender.send([claimed, other], false)).toEqual({ sent: 1, ended: 0, onTheirOwn: 1, left: [] });
    expect(sender.texts).toHaveLength(1);
    expect(await rowOf(claimed)).toMatchObject({ status: 'sending', slice: null, attempts: 1 });
    expect(await promised()).toEqual([ownExecution(claimed)]);
  });

  it('of which one is cancelled while others are called: it is not sent', async () => {
    const answers = Promise.withResolvers<void>();
    await using sender = await aSender(() => (response) => {
      void answers.promise.then(() => {
        const { status, json } = sent();
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
      });
    });
    const ids = [await aMessage(), await aMessage(), await aMessage(), await aMessage(), await aMessage()];
    const sending = sender.send(ids);
    // Four are called at a time, so the last one waits for their answers.
    await eventually(() => sender.texts.length === 4);
    const last = ids.at(-1) ?? '';
    await changeRows(database, 'message', { status: 'cancelled', errorCode: 'cancelled_by_request' }, { id: last });
    answers.resolve();
    expect(await sending).toEqual({ sent: 4, ended: 1, onTheirOwn: 0, left: [] });
    expect(sender.texts).toHaveLength(4);
    expect(await rowOf(last)).toMatchObject({ status: 'cancelled', slice: null });
  });

  it('that the backend refuses for now are tried again later by executions of their own', async () => {
    await using sender = await aSender(() => ({ status: 422, json: { error: 'Session status is not as expected.' } }));
    const id = await aMessage();
    expect(await sender.send([id])).toEqual({ sent: 0, ended: 0, onTheirOwn: 1, left: [] });
    expect(await promised()).toContainEqual(ownExecution(id, true));
  });

  it('with a file get executions of their own, which have the time to fetch it', async () => {
    await using sender = await aSender();
    const [file, text] = [await aMessage('document'), await aMessage()];
    expect(await sender.send([file, text])).toEqual({ sent: 1, ended: 0, onTheirOwn: 1, left: [] });
    expect(await rowOf(file)).toMatchObject({ status: 'queued', attempts: 0 });
    expect(await promised()).toEqual([ownExecution(file)]);
  });

  it('that are not begun when the process stops are left to the next activity, or to the next attempt', async () => {
    await using sender = await aSender();
    const ids = [await aMessage(), await aMessage()];
    sender.stop();
    expect(await sender.send(ids)).toEqual({ sent: 0, ended: 0, onTheirOwn: 0, left: ids });
    await expect(sender.send(ids, false)).rejects.toThrow();
    expect(sender.texts).toEqual([]);
    for (const id of ids) expect(await rowOf(id)).toMatchObject({ status: 'queued', attempts: 0 });
    expect(await promised()).toEqual([]);
  });

  it('of which one fails in every attempt: it gets an execution of its own, so that the slice ends', async () => {
    await using sender = await aSender();
    const [broken, other] = [await aMessage(), await aMessage()];
    const mend = await refuseRows(database, 'message', {
      on: 'update',
      where: { id: broken, status: 'sending' },
      isOwnFault: true,
    });
    try {
      for (const attempt of [1, 2]) await expect(sender.send([broken, other], true, attempt)).rejects.toThrow();
      expect(await promised()).toEqual([]);
      expect(await sender.send([broken, other], true, 3)).toEqual({ sent: 1, ended: 0, onTheirOwn: 1, left: [] });
    } finally {
      await mend();
    }
    expect(sender.texts).toHaveLength(1);
    expect(await promised()).toEqual([ownExecution(broken, true)]);
  });
});
