import { describe, expect, it, jest } from '@jest/globals';
import { createCalls } from '../../../activities/sending/calls.ts';
import { createSend } from '../../../activities/sending/send.ts';
import type { SendResult } from '../../../activities/sending/send-result.ts';
import { createFairSlots } from '../../../domain/fair-slots.ts';
import { acceptSend } from '../../../db/sending/accept.ts';
import { findMessageById } from '../../../db/conversations/message.ts';
import { workflowId } from '../../../domain/names.ts';
import { CLAIM_VALID_MS } from '../../../domain/sending/message-state.ts';
import type { OutgoingFile } from '../../../domain/sending/outgoing.ts';
import { everywhere, onlyBackend } from '../../adapters/backend/only-backend.ts';
import { startStub } from '../../adapters/backend/stub-backend.ts';
import type { StubRequest } from '../../adapters/backend/stub-backend.ts';
import { SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { eventually } from '../../support/eventually.ts';
import { among, findRows, lockRows, refuseRows, untilBlockedHere } from '../../support/rows.ts';

const sent = { status: 201, json: { key: { remoteJid: '1@s.whatsapp.net', fromMe: true, id: '3EB0FF' } } };
const version = { json: { version: '2026.7.1', engine: 'GOWS' } };
const FILE: OutgoingFile = { data: Buffer.alloc(60, 7), mimeType: 'application/pdf', fileName: 'a.pdf' };

const { database, sessionId } = await databaseOfThisFile();

describe('sendMessage: a send', () => {
  let people = 0;

  async function aMessage(kind: 'text' | 'document'): Promise<string> {
    people += 1;
    const accepted = await database.transaction((tx) =>
      acceptSend(
        tx,
        { ...SCOPE, sessionId },
        {
          recipient: { chatId: `1555010${String(2_000 + people)}@c.us` },
          parts: [{ kind, body: 'hello' }],
          origin: 'api',
          expires: { afterMs: 60_000 },
        },
      ),
    );
    if (accepted.outcome !== 'accepted') throw new Error('The message was not accepted.');
    return accepted.messageId;
  }

  const rowOf = (id: string) => database.read((queries) => findMessageById(queries, id));

  /** A worker whose memory holds 100 bytes of files. */
  async function aSender(answer: (request: StubRequest) => ReturnType<Parameters<typeof startStub>[0]>) {
    const stub = await startStub((request) =>
      request.path === '/api/server/version'
        ? version
        : request.path.includes('check-exists')
          ? { json: { numberExists: true } }
          : answer(request),
    );
    const limits = createFairSlots({
      perOwner: 4,
      inAll: 8,
      bytes: { perOwner: 100, inAll: 100 },
    });
    const deps = { database, backends: onlyBackend(stub.backend), limits: everywhere(limits) };
    const { send, look } = createSend(deps, createCalls(deps));
    const loaded: string[] = [];
    return {
      limits,
      loaded,
      checks: () => stub.requests.filter(({ path }) => path.includes('check-exists')).length,
      async send(messageId: string): Promise<SendResult> {
        const before = await look(messageId);
        if (!before) throw new Error('The message is not there.');
        const load = async () => {
          loaded.push(messageId);
          return FILE;
        };
        const file = before.kind === 'text' ? null : { sizeBytes: FILE.data.length, load };
        return send(before, {
          takenAt: performance.now(),
          slotWaitMs: 20,
          callWaitMs: 60_000,
          prepare: async () => file,
        });
      },
      [Symbol.asyncDispose]: () => stub[Symbol.asyncDispose](),
    };
  }

  it('of a file waits for memory before it loads the file, and gives the memory back', async () => {
    const held = Promise.withResolvers<() => void>();
    await using sender = await aSender(
      () => (response) => held.resolve(() => response.writeHead(201).end(JSON.stringify(sent.json))),
    );
    const [first, second] = [await aMessage('document'), await aMessage('document')];
    const underWay = sender.send(first);
    const finish = await held.promise;
    expect(sender.limits.current()).toMatchObject({ inFlight: 1, bytes: 60 });
    expect(await sender.send(second)).toMatchObject({ state: 'retry' });
    expect(sender.loaded).toEqual([first]);
    expect(await rowOf(second)).toMatchObject({ status: 'queued', attempts: 0 });
    finish();
    expect(await underWay).toMatchObject({ state: 'sent' });
    await eventually(() => sender.limits.current().inFlight === 0);
    expect(sender.limits.current().bytes).toBe(0);
  });

  it('whose recipient cannot be recorded goes all the same', async () => {
    await using sender = await aSender(() => sent);
    const messageId = await aMessage('text');
    const mend = await refuseRows(database, 'contact', { on: 'update' });
    try {
      expect(await sender.send(messageId)).toMatchObject({ state: 'sent' });
      expect(sender.checks()).toBe(1);
      expect(
        await findRows(database, 'contact', { id: among('message', { id: messageId }, 'contactId') }, ['checkedAt']),
      ).toEqual([{ checkedAt: null }]);
    } finally {
      await mend();
    }
  });

  it.each([
    { what: 'the wall clock, which was set', clock: Date },
    { what: 'the clock of what has passed, while the wall clock was set back', clock: performance },
  ])('does not begin its call where the claim is too old by $what', async ({ clock }) => {
    const texts: unknown[] = [];
    await using sender = await aSender(({ body }) => {
      texts.push(body['text']);
      return sent;
    });
    const messageId = await aMessage('text');
    const now = clock.now.bind(clock);
    const sending = await database.transaction(async (tx) => {
      // The claim waits for the row.
      await lockRows(tx, 'message', { id: messageId });
      const underWay = sender.send(messageId);
      await untilBlockedHere(database);
      jest.spyOn(clock, 'now').mockImplementation(() => now() + CLAIM_VALID_MS + 1_000);
      return { underWay };
    });
    try {
      expect(await sending.underWay).toMatchObject({ state: 'retry' });
    } finally {
      jest.restoreAllMocks();
    }
    expect(texts).toEqual([]);
    expect(await rowOf(messageId)).toMatchObject({ status: 'queued', claimToken: null });
  });

  it('that the backend refuses for its session has the supervisor look at the session, once', async () => {
    const error = 'Session status is not as expected. Try again later or restart the session';
    await using sender = await aSender(() => ({ status: 422, json: { error } }));
    for (const messageId of [await aMessage('text'), await aMessage('text')]) {
      expect(await sender.send(messageId)).toMatchObject({ state: 'retry', reason: 'session_not_ready' });
    }
    const looks = await findRows(database, 'dispatch', { workflowId: workflowId('superviseSession', sessionId) }, [
      'action',
      'signal',
    ]);
    expect(looks).toEqual([{ action: 'signal_with_start', signal: 'statusChanged' }]);
  });
});
