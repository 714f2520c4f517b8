import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { setPlatform } from '../../support/platform.ts';
import { countRows, findRows, not, untilCount } from '../../support/rows.ts';
import { personWrites } from '../../support/sandbox-record.ts';
import { send as sendText, statusesOf, untilStatus } from '../../support/sends.ts';

const Accepted = z.object({
  messageId: z.string(),
  conversationId: z.string(),
  messages: z.array(z.object({ kind: z.string() })),
});
const Sends = z.object({
  sends: z.array(
    z.object({
      chatId: z.string().nullable(),
      route: z.string(),
      request: z.record(z.string(), z.unknown()),
      reachedNetwork: z.boolean(),
      duplicate: z.boolean(),
    }),
  ),
});
const Messages = z.object({ messages: z.array(z.record(z.string(), z.unknown())) });

const location = { latitude: 52.52, longitude: 13.405, name: 'Our shop' };
const contacts = [
  { name: 'Jane Doe', phone: '+49 30 901820', organization: 'Shop' },
  { name: 'Joe', phone: '+1 555 765 4321' },
];
const poll = { name: 'Which day?', options: ['Mon', 'Tue', 'Wed'], multipleAnswers: true };

describe('a message that is neither words nor a file', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'kinds' });
    // The account's past is read in by then, so that messages can be counted.
    await untilCount(engine.database, 'historySync', { finishedAt: not(null) });
  });
  afterAll(() => engine.close());

  const post = (body: object, idempotencyKey?: string) =>
    call(engine, 'POST', '/api/v1/messages/send', {
      key: agency.scopedKey,
      body,
      ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
    });
  async function send(body: object) {
    const answer = await post(body);
    expect(answer).toMatchObject({ status: 202 });
    return Accepted.parse(answer.body);
  }
  async function requestsTo(chatId: string) {
    const path = `/record?session=${encodeURIComponent(agency.session.name)}`;
    const { sends } = Sends.parse(await engine.control('GET', path));
    return sends.filter((sent) => sent.chatId === chatId);
  }
  async function shownIn(conversationId: string) {
    const path = `/api/v1/inbox/conversations/${conversationId}/messages`;
    return Messages.parse((await call(engine, 'GET', path, { key: agency.scopedKey })).body).messages;
  }
  const engineIs = async (name: string) => {
    await engine.control('POST', `/sessions/${agency.session.name}/engine`, { engine: name });
    await setPlatform(engine.database, agency.session.id, name);
  };

  it('a location goes as one, once, under one key, and has its passport', async () => {
    const to = '+1 555 031 0000';
    const first = Accepted.parse((await post({ to, location }, 'one-place')).body);
    const again = await post({ to, location }, 'one-place');
    expect(again).toMatchObject({ status: 202, body: { messageId: first.messageId } });
    const passport = await untilStatus(engine, agency, first.messageId, 'delivered', 'read');
    expect(statusesOf(passport).slice(0, 3)).toEqual(['queued', 'sending', 'sent']);
    const [sent, ...others] = await requestsTo('15550310000@c.us');
    expect(others).toEqual([]);
    expect(sent).toMatchObject({
      route: 'sendLocation',
      request: { latitude: 52.52, longitude: 13.405, title: 'Our shop', id: expect.any(String) },
    });
    expect(await shownIn(first.conversationId)).toMatchObject([
      { kind: 'location', body: 'Our shop', location: { latitude: 52.52, longitude: 13.405, name: 'Our shop' } },
    ]);
  });

  it('contacts go as cards with their whole numbers, and a poll with its answers', async () => {
    const carded = await send({ to: '+1 555 032 0000', contacts });
    const asked = await send({ to: '+1 555 033 0000', poll });
    await untilStatus(engine, agency, carded.messageId, 'sent');
    await untilStatus(engine, agency, asked.messageId, 'sent');
    const [cards] = await requestsTo('15550320000@c.us');
    const sent = z.array(z.object({ vcard: z.string() })).parse(cards?.request['contacts']);
    expect(sent.map(({ vcard }) => vcard.split('\n').filter((line) => /^(FN|TEL)/.test(line)))).toEqual([
      ['FN:Jane Doe', 'TEL;type=CELL;type=VOICE;waid=4930901820:+4930901820'],
      ['FN:Joe', 'TEL;type=CELL;type=VOICE;waid=15557654321:+15557654321'],
    ]);
    expect(await requestsTo('15550330000@c.us')).toMatchObject([{ route: 'sendPoll', request: { poll } }]);
    expect(await shownIn(carded.conversationId)).toMatchObject([{ kind: 'contact', body: 'Jane Doe, Joe' }]);
    expect(asked.messages).toMatchObject([{ kind: 'poll' }]);
    expect(await shownIn(asked.conversationId)).toMatchObject([
      { kind: 'poll', body: 'Which day?', poll: { name: poll.name, multipleAnswers: true } },
    ]);
  });

  it('waits its turn behind the text before it, and quotes what it answers', async () => {
    const to = '+1 555 034 0000';
    const words = await sendText(engine, agency, to, 'Here we are:');
    const place = await send({ to, location });
    await untilStatus(engine, agency, place.messageId, 'sent');
    const quoting = await send({ to, poll, replyTo: words.messageId });
    await untilStatus(engine, agency, quoting.messageId, 'sent');
    const sent = await requestsTo('15550340000@c.us');
    expect(sent.map(({ route }) => route)).toEqual(['sendText', 'sendLocation', 'sendPoll']);
    expect(sent[2]?.request['reply_to']).toMatch(/^true_15550340000@c\.us_/);
  });

  /** The message that a person has written, once the engine has it. */
  async function hears(from: string, text: string) {
    const networkId = await personWrites(engine, agency.session.name, { from, text });
    return eventually(async () => {
      const found = await findRows(engine.database, 'message', { networkId }, ['id', 'conversationId']);
      return found[0];
    });
  }

  it('a person replies with a location in the inbox, which takes the conversation over', async () => {
    const { conversationId } = await hears('15550350000', 'Where are you?');
    const path = `/api/v1/inbox/conversations/${conversationId}/messages`;
    const answer = await call(engine, 'POST', path, { key: agency.scopedKey, body: { location } });
    expect(answer).toMatchObject({ status: 202, body: { messages: [{ kind: 'location' }] } });
    await untilStatus(engine, agency, Accepted.parse(answer.body).messageId, 'sent');
  });

  it('what somebody wrote is forwarded to somebody else, marked as that', async () => {
    const source = await hears('15550360000', 'Hand this on');
    const forwarded = await send({ to: '+1 555 037 0000', forward: { messageId: source.id } });
    await untilStatus(engine, agency, forwarded.messageId, 'sent');
    expect(await requestsTo('15550370000@c.us')).toMatchObject([
      { route: 'forwardMessage', request: { messageId: expect.stringMatching(/^false_15550360000@c\.us_/) } },
    ]);
    expect(await shownIn(forwarded.conversationId)).toMatchObject([
      { kind: 'forward', body: 'Hand this on', forwardOf: source.id },
    ]);
    const unknown = await post({ to: '+1 555 037 0000', forward: { messageId: 'msg_unknown' } });
    expect(unknown).toMatchObject({ status: 404, body: { errors: [{ pointer: '/forward/messageId' }] } });
  });

  it('is settled by its chat when the answer is lost, and not sent twice', async () => {
    // The connection drops after the network has it. WEBJS takes no id of ours, so the chat must tell.
    await engineIs('WEBJS');
    const lost = await send({ to: '+1 555 038 0005', location });
    await untilStatus(engine, agency, lost.messageId, 'sent');
    expect(await requestsTo('15550380005@c.us')).toMatchObject([{ reachedNetwork: true, duplicate: false }]);
    await engineIs('NOWEB');
    const polled = await send({ to: '+1 555 039 0005', poll });
    await untilStatus(engine, agency, polled.messageId, 'sent');
    expect(await requestsTo('15550390005@c.us')).toHaveLength(1);
  });

  it('is refused before anything is stored where the engine cannot send it', async () => {
    const messages = () => countRows(engine.database, 'message', { origin: 'api' });
    const before = await messages();
    const source = await findRows(engine.database, 'message', { kind: 'text' }, ['id']);
    await engineIs('WEBJS');
    expect(await post({ to: '+1 555 040 0000', poll })).toMatchObject({
      status: 501,
      body: { code: 'not_supported_by_engine', detail: expect.stringMatching(/^WEBJS cannot send polls\. /) },
    });
    await engineIs('GOWS');
    const forward = { messageId: source[0]?.id };
    expect(await post({ to: '+1 555 040 0000', forward })).toMatchObject({ status: 501 });
    const sticker = { url: 'https://files.example/a.webp' };
    expect(await post({ to: '+1 555 040 0000', sticker })).toMatchObject({ status: 501 });
    await engineIs('NOWEB');
    expect(await messages()).toBe(before);
    expect(await countRows(engine.database, 'conversation', { chatId: '15550400000@c.us' })).toBe(0);
  });
});
