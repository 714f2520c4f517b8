import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { setPlatform } from '../../support/platform.ts';
import { toldPayloads } from '../../support/rows.ts';
import { personWrites, sendsOf } from '../../support/sandbox-record.ts';
import { send as sendText, untilStatus } from '../../support/sends.ts';

const buttons = [
  { type: 'reply', text: 'Yes', id: 'yes' },
  { type: 'url', text: 'Our page', url: 'https://shop.example/' },
  { type: 'reply', text: 'No', id: 'no' },
];
const sections = [{ title: 'Hot', rows: ['Tea', 'Coffee'].map((title) => ({ title, rowId: title.toLowerCase() })) }];
const Accepted = z.object({ messageId: z.string(), conversationId: z.string(), renderedAs: z.string() });

describe('a message to choose from', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    // The person behind 0014 chooses by itself, and nothing but time makes it wait until the send is on record.
    engine = await startEngine({ sandbox: { replyDelayMs: 2_000 } });
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'interactive' });
  });
  afterAll(() => engine.close());

  async function send(route: string, body: object) {
    const answer = await call(engine, 'POST', `/api/v1/${route}`, { key: agency.scopedKey, body });
    expect(answer.status).toBe(202);
    const accepted = Accepted.parse(answer.body);
    await untilStatus(engine, agency, accepted.messageId, 'sent', 'delivered', 'read');
    return accepted;
  }
  const sendButtons = (to: string) => send('sendButtons', { to, body: 'May we come?', footer: 'The shop', buttons });
  const sendList = (to: string) =>
    send('sendList', { to, message: { title: 'Menu', description: 'What?', button: 'Choose', sections } });

  /** Returns the dashboard's event of the person's last message. */
  const answerIn = (conversationId: string) =>
    eventually(async () => {
      return (await toldPayloads(engine.database, { conversationId, type: 'message' })).at(-1);
    });

  const calledFor = async (chatId: string) =>
    (await sendsOf(engine, agency.session.name)).filter((sent) => sent.chatId === chatId).map(({ body }) => body);

  const engineIs = (name: string) =>
    engine.control('POST', `/sessions/${agency.session.name}/engine`, { engine: name });
  const platformIs = (name: string) => setPlatform(engine.database, agency.session.id, name);

  it('is shown as it is where the engine can, and what is pressed comes back', async () => {
    const asked = await sendButtons('+1 555 020 0014');
    expect(asked.renderedAs).toBe('native');
    expect(await answerIn(asked.conversationId)).toMatchObject({
      body: 'No',
      selected: { id: 'no', text: 'No', messageId: asked.messageId },
    });
    const listed = await sendList('+1 555 021 0014');
    expect(await answerIn(listed.conversationId)).toMatchObject({
      selected: { id: 'coffee', text: 'Coffee', messageId: listed.messageId },
    });
  });

  it('goes as numbered text where it cannot, and the number comes back as the choice', async () => {
    await engineIs('WEBJS');
    await platformIs('WEBJS');
    const asked = await sendButtons('+1 555 022 0014');
    expect(asked.renderedAs).toBe('text');
    expect(await calledFor('15550220014@c.us')).toEqual([
      'May we come?\n\n1. Yes\n2. No\n\nOur page: https://shop.example/\n\nThe shop',
    ]);
    const { conversationId, messageId } = asked;
    expect(await answerIn(conversationId)).toMatchObject({ body: '2', selected: { id: 'no', text: 'No', messageId } });
    const chat = await call(engine, 'GET', `/api/v1/inbox/conversations/${conversationId}/messages`, {
      key: agency.scopedKey,
    });
    expect(chat.body['messages']).toMatchObject([
      { body: '2', selected: { id: 'no', text: 'No', messageId }, buttons: null },
      { messageId, renderedAs: 'text', selected: null, buttons: { buttons: expect.any(Array) } },
    ]);
    await personWrites(engine, agency.session.name, { from: '15550220014', text: 'yes' });
    await eventually(async () => (await answerIn(conversationId)).body === 'yes');
    expect(await answerIn(conversationId)).toMatchObject({ selected: { id: 'yes', messageId } });
    await personWrites(engine, agency.session.name, { from: '15550220014', text: 'Who are you?' });
    await eventually(async () => (await answerIn(conversationId)).body === 'Who are you?');
    expect(await answerIn(conversationId)).toMatchObject({ selected: null });
  });

  it('goes as text where the version keeps lists for those who pay, and another kind fails with that reason', async () => {
    const session = agency.session.name;
    await engineIs('NOWEB');
    await platformIs('NOWEB');
    await engine.control('POST', '/faults', { route: 'sendList', kind: 'plusOnly', session });
    await sendList('+1 555 024 0001');
    expect(await calledFor('15550240001@c.us')).toEqual([null, 'Menu\n\nWhat?\n\nHot\n1. Tea\n2. Coffee']);
    await engine.control('POST', '/faults', { route: 'sendText', kind: 'plusOnly', session });
    const { messageId } = await sendText(engine, agency, '+1 555 024 0002', 'hello');
    const { error } = await untilStatus(engine, agency, messageId, 'failed');
    expect(error).toMatchObject({ code: 'backend_refused', message: expect.stringContaining('not_implemented') });
  });

  it('goes as text once when the engine turns out not to know it', async () => {
    await engineIs('GOWS');
    await platformIs('NOWEB');
    const { conversationId, messageId } = await sendButtons('+1 555 023 0014');
    const tried = (await sendsOf(engine, agency.session.name)).filter(({ chatId }) => chatId === '15550230014@c.us');
    expect(tried.map(({ reachedNetwork }) => reachedNetwork)).toEqual([false, true]);
    expect(await answerIn(conversationId)).toMatchObject({ selected: { id: 'no', messageId } });
  });
});
