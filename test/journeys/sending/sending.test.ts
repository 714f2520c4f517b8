import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { above, countRows, databaseNow, findRow, findRows, like, not } from '../../support/rows.ts';
import { sendsOf, textsSeenBy } from '../../support/sandbox-record.ts';
import { send, statusesOf, untilStatus } from '../../support/sends.ts';

describe('sending messages', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'sends' });
    // Settling believes an empty chat only of a session that has shown one of its sends before.
    const first = await send(engine, agency, '15550109999', 'the first of this session');
    await untilStatus(engine, agency, first.messageId, 'read');
  });
  afterAll(() => engine.close());

  const post = (key: string, body: object) => call(engine, 'POST', '/api/v1/messages/send', { key, body });

  describe('the request', () => {
    it('a dashboard names agency and tenant, a scoped key leaves them out, and both get the same answer', async () => {
      const target = { agencyId: agency.agencyId, tenantId: agency.tenantId };
      const explicit = await post(agency.dashboardKey, { ...target, to: '15550100201', text: 'explicit' });
      const scoped = await post(agency.scopedKey, { to: '15550100201', text: 'scoped' });
      for (const answer of [explicit, scoped]) {
        expect(answer.status).toBe(202);
        expect(answer.body).toEqual({
          messageId: expect.stringMatching(/^msg_[0-9a-f-]{36}$/),
          conversationId: expect.stringMatching(/^cnv_/),
          contactId: expect.stringMatching(/^con_/),
          status: 'queued',
          messages: [{ messageId: answer.body['messageId'], kind: 'text', status: 'queued' }],
          plan: { sendAt: expect.any(String), rule: expect.stringMatching(/^(now|queue)$/) },
        });
        expect(answer.headers.get('location')).toBe(
          `/api/v1/inbox/messages/${String(answer.body['messageId'])}/status`,
        );
      }
      expect(scoped.body['conversationId']).toBe(explicit.body['conversationId']);
    });

    it('a dashboard names the recipient by phone, contact, chat or conversation, and all are one conversation', async () => {
      const first = await send(engine, agency, '+1 (555) 010-0202', 'by phone');
      const forms: object[] = [
        { to: first.contactId },
        { contactId: first.contactId },
        { chatId: '15550100202@c.us' },
        { to: '15550100202@s.whatsapp.net' },
        { conversationId: first.conversationId },
      ];
      for (const form of forms) {
        const answer = await post(agency.scopedKey, { ...form, text: JSON.stringify(form) });
        expect(answer.status).toBe(202);
        expect(answer.body['conversationId']).toBe(first.conversationId);
      }
      const seen = await eventually(async () => {
        const texts = await textsSeenBy(engine, agency.session.name, '15550100202@c.us');
        return texts.length === 6 && texts;
      });
      expect(seen).toEqual(['by phone', ...forms.map((form) => JSON.stringify(form))]);
    });

    it.each([
      ['no recipient', { text: 'to whom?' }, 'recipient_required', '/to'],
      ['a recipient that is nobody', { to: 'bob', text: 'hi' }, 'invalid_recipient', '/to'],
      ['a chat id that is none', { chatId: 'x@y', text: 'hi' }, 'invalid_recipient', '/chatId'],
      ['no text', { to: '15550100203' }, 'content_required', '/text'],
      ['a text of blanks', { to: '15550100203', text: ' \n' }, 'content_required', '/text'],
      ['a text with NUL, which cannot be stored', { to: '15550100203', text: 'a\u0000b' }, 'invalid_request', '/text'],
      ['a number as text', { to: '15550100203', text: 7 }, 'invalid_request', '/text'],
    ])('a dashboard that sends %s gets a 422 that points to the field', async (_what, body, code, pointer) => {
      const answer = await post(agency.scopedKey, body);
      expect(answer.status).toBe(422);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      expect(answer.body).toMatchObject({ code, status: 422, errors: [{ pointer }] });
    });

    it('a dashboard that names an unknown contact, conversation or session gets 404', async () => {
      for (const form of [{ to: 'con_0' }, { contactId: 'con_0' }, { conversationId: 'cnv_0' }]) {
        expect((await post(agency.scopedKey, { ...form, text: 'hi' })).status).toBe(404);
      }
      expect((await post(agency.scopedKey, { to: '15550100203', text: 'hi', session: 'ses_0' })).status).toBe(404);
    });
  });

  describe('what becomes of it', () => {
    it('the network gets twenty quick sends of a conversation in the order in which they were accepted', async () => {
      const texts = Array.from({ length: 20 }, (_, index) => `number ${index}`);
      for (const text of texts) await send(engine, agency, '15550100210', text);
      const seen = await eventually(async () => {
        const sent = await textsSeenBy(engine, agency.session.name, '15550100210@c.us');
        return sent.length >= 20 && sent;
      });
      expect(seen).toEqual(texts);
    });

    it('the network gets sends that were accepted at the same time once each', async () => {
      const texts = Array.from({ length: 20 }, (_, index) => `at once ${index}`);
      await Promise.all(texts.map((text) => send(engine, agency, '15550100211', text)));
      const seen = await eventually(async () => {
        const sent = await textsSeenBy(engine, agency.session.name, '15550100211@c.us');
        return sent.length >= 20 && sent;
      });
      expect(seen.toSorted()).toEqual(texts.toSorted());
    });

    it('a message to a number that never acks ends as sent', async () => {
      const { messageId } = await send(engine, agency, '15550100002', 'never acked');
      const passport = await untilStatus(engine, agency, messageId, 'sent');
      expect(statusesOf(passport)).toEqual(['queued', 'sending', 'sent']);
      expect(passport).toMatchObject({ ack: 1, attempts: 1, workflowId: `message/${messageId}` });
      expect(passport.error).toBeUndefined();
    });

    it('a message whose acks come out of order keeps the highest level and never falls', async () => {
      const { messageId } = await send(engine, agency, '15550100004', 'acked out of order');
      const passport = await untilStatus(engine, agency, messageId, 'read');
      expect(passport.timestamps).toMatchObject({ delivered: expect.any(String), read: expect.any(String) });
      await eventually(async () => (await acksApplied(messageId)) >= 3);
      expect((await untilStatus(engine, agency, messageId, 'read')).ack).toBe(3);
    });

    it('a message that the network refuses by an error ack fails and says that the account is restricted', async () => {
      const other = await anAgencyWithScopedKey(engine, { agencyId: 'restricted' });
      const { messageId } = await send(engine, other, '15550100007', 'restricted');
      const passport = await untilStatus(engine, other, messageId, 'failed');
      expect(passport).toMatchObject({
        ack: -1,
        error: { code: 'restricted', message: expect.stringContaining('(463)') },
      });
      const restricted = await findRows(
        engine.database,
        'sessionPace',
        { sessionId: other.session.id, restrictedUntil: above(databaseNow) },
        { code: 'restriction' },
      );
      expect(restricted).toEqual([{ code: '463' }]);
    });

    it.each([
      ['15550100005', 'its connection drops after the message went out'],
      ['15550100011', 'it answers late'],
      ['15550100012', 'it answers 500 after the message went out'],
    ])('a message to %s reaches its person exactly once although %s', async (to, why) => {
      const { messageId } = await send(engine, agency, to, why);
      const passport = await untilStatus(engine, agency, messageId, 'read');
      expect(statusesOf(passport).filter((status) => status === 'sent')).toHaveLength(1);
      expect((await sendsOf(engine, agency.session.name)).filter((sent) => sent.body === why)).toHaveLength(1);
    });

    it('a message that was answered 500 and did not go out is sent again, once it is certain, and arrives once', async () => {
      await engine.control('POST', '/faults', { route: 'sendText', kind: 'status500', session: agency.session.name });
      const { messageId } = await send(engine, agency, '15550100220', 'second time lucky');
      const passport = await untilStatus(engine, agency, messageId, 'read');
      expect(passport.history).toMatchObject([
        { status: 'queued' },
        { status: 'sending' },
        { status: 'sending', reason: 'settling' },
        { status: 'queued', reason: 'certainly_not_sent' },
        { status: 'sending' },
        { status: 'sent' },
        { status: 'delivered' },
        { status: 'read' },
      ]);
      expect(passport.attempts).toBe(2);
      expect(await textsSeenBy(engine, agency.session.name, '15550100220@c.us')).toEqual(['second time lucky']);
    });
  });

  /** Acks of a message that were applied or found stale: the backend's events that name its network id. */
  async function acksApplied(messageId: string): Promise<number> {
    const { networkId } = await findRow(engine.database, 'message', { id: messageId }, ['networkId']);
    const acks = { appliedAt: not(null), body: like(`%message.ack%${networkId}%`) };
    return countRows(engine.database, 'backendEvent', acks);
  }
});
