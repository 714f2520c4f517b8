import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { acceptSend } from '../../../db/sending/accept.ts';
import { claimMessage } from '../../../db/sending/claim.ts';
import { recordSent } from '../../../db/sending/outcome.ts';
import { countRows, findRows, toldPayloads } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anAgent } from '../agent/a-turn.ts';
import { nobodyKnows } from '../../support/nobody-knows.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);

describe('a person whom the network shows now under a phone, now under a hidden id', () => {
  async function send(chatId: string, body: string) {
    const accepted = await database.transaction((tx) =>
      acceptSend(
        tx,
        { ...SCOPE, sessionId },
        { recipient: { chatId }, parts: [{ kind: 'text', body }], origin: 'api', expires: { afterMs: 60_000 } },
      ),
    );
    if (accepted.outcome !== 'accepted') throw new Error(`The message was not accepted: ${accepted.outcome}.`);
    return accepted;
  }

  async function goesOut(messageId: string, conversationId: string): Promise<void> {
    const token = randomUUID();
    await database.transaction((tx) => claimMessage(tx, messageId, { token, owner: '1', chosenNetworkId: null }));
    await database.transaction((tx) =>
      recordSent(tx, { messageId, conversationId, token, networkId: `N${messageId}` }),
    );
  }

  const wakesOf = (id: string) => countRows(database, 'dispatch', { workflowId: `ai/${id}` });

  it('is one conversation once both are told, and the agent does not answer whom a person has', async () => {
    const phone = agent.person();
    const hidden = phone.replace('@c.us', '@lid');
    const { conversationId: a } = await send(phone, 'Our offer');
    const b = await agent.write(hidden, 'Is it still there?');
    await agent.hands(b, 'human_takeover');

    const c = await agent.write(hidden, 'Hello?', { aliases: [phone] });

    const columns = { id: 'id', mode: 'mode', into: 'mergedInto' } as const;
    const rows = await findRows(database, 'conversation', { id: [a, b] }, columns, { newestFirst: 'mergedInto' });
    expect(rows).toEqual([
      { id: c, mode: 'human_takeover', into: null },
      { id: c === a ? b : a, mode: 'human_takeover', into: c },
    ]);
    const said = await findRows(database, 'message', { conversationId: [a, b] }, { of: 'conversationId' });
    expect(new Set(said.map(({ of }) => of))).toEqual(new Set([c]));
    expect(await wakesOf(c)).toBe(0);
    expect(await agent.turnsOf(c)).toMatchObject([{ outcome: 'silence', silenceCode: 'human' }, {}]);
  });

  it('is asked for where the hidden id alone is told, so that the agent does not answer whom a person has', async () => {
    const phone = agent.person();
    const hidden = phone.replace('@c.us', '@lid');
    const { conversationId: a } = await send(phone, 'Our offer');
    await agent.hands(a, 'human_takeover');
    const asked: string[] = [];
    agent.networkTells(({ lid }) => {
      asked.push(lid);
      return Promise.resolve(phone);
    });

    const b = await agent.write(hidden, 'Is it still there?');
    expect(await agent.next(b)).toMatchObject({ state: 'none', silent: 'human', person: { of: 'conversation' } });

    expect(asked).toEqual([hidden]);
    expect(await agent.turnsOf(a)).toMatchObject([{ outcome: 'silence', silenceCode: 'human' }]);
    expect(await findRows(database, 'conversation', { id: b }, { into: 'mergedInto' })).toEqual([{ into: a }]);
    const merges = await findRows(
      database,
      'contactMerge',
      {},
      { cause: 'cause', ids: 'chatIds' },
      { newestFirst: 'id' },
    );
    expect(merges[0]).toEqual({ cause: 'hidden_id_check', ids: [hidden, phone] });
    agent.networkTells(nobodyKnows);
  });

  it('is asked for once in a while only, and answered where the network does not know either', async () => {
    const hidden = agent.person().replace('@c.us', '@lid');
    let times = 0;
    agent.networkTells(() => {
      times += 1;
      return times === 1 ? Promise.reject(new Error('down')) : Promise.resolve(null);
    });
    for (const text of ['One?', 'Two?', 'Three?']) await agent.settle(await agent.write(hidden, text));
    expect(times).toBe(2);
    database.clock.advance(61 * 60_000);
    await agent.settle(await agent.write(hidden, 'Four?'));
    expect(times).toBe(3);
    agent.networkTells(nobodyKnows);
  });

  it('is known by the echo of a send that is recorded already, which names both', async () => {
    const phone = agent.person();
    const hidden = phone.replace('@c.us', '@lid');
    const { messageId, conversationId } = await send(phone, 'Our offer');
    await goesOut(messageId, conversationId);
    await agent.write(hidden, 'Our offer', { fromMe: true, networkId: `N${messageId}`, aliases: [phone] });
    expect(await agent.write(hidden, 'Is it still there?')).toBe(conversationId);
  });

  it("is told once to be a person's where one of both was, under both ids", async () => {
    const phone = agent.person();
    const hidden = phone.replace('@c.us', '@lid');
    const { conversationId: kept } = await send(phone, 'Our offer');
    const gone = await agent.write(hidden, 'Is it still there?');
    await agent.hands(gone, 'human_takeover');
    await agent.write(hidden, 'Hello?', { aliases: [phone] });
    await agent.write(hidden, 'Anybody?', { aliases: [phone] });
    expect(await toldOf('conversation.assigned', kept)).toEqual([
      expect.objectContaining({
        conversationId: kept,
        mergedFrom: gone,
        chatId: phone,
        mode: 'human_takeover',
        cause: 'merge',
        epoch: 2,
      }),
    ]);
  });

  const toldOf = (type: string, conversationId: string) => toldPayloads(database, { type, conversationId });

  it('is shown by the phone as soon as that is known, in messages, in acks and in groups', async () => {
    const phone = agent.person();
    const digits = phone.replace('@c.us', '');
    const hidden = `${digits}@lid`;
    const id = await agent.write(hidden, 'one');
    await agent.write(hidden, 'two', { aliases: [phone] });
    await agent.write(hidden, 'three');
    expect(await toldOf('message', id)).toMatchObject([
      { from: hidden, fromKind: 'chat' },
      { from: digits, fromKind: 'phone' },
      { from: digits, fromKind: 'phone' },
    ]);

    const { messageId } = await send(hidden, 'ours');
    await goesOut(messageId, id);
    expect(await toldOf('message.ack', id)).toMatchObject([{ to: digits, status: 'sent' }]);

    const group = `12036300${digits}@g.us`;
    const there = await agent.write(group, 'in a group', { participant: hidden });
    await agent.write(group, 'somebody else', { participant: '4711@lid', aliases: ['15550009999@c.us'] });
    await agent.write(group, 'a stranger', { participant: '4712@lid' });
    expect(await toldOf('message', there)).toMatchObject([
      { from: digits, fromKind: 'phone' },
      { from: '15550009999', fromKind: 'phone' },
      { from: '4712@lid', fromKind: 'chat' },
    ]);
  });
});
