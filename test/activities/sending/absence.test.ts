import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { asNumberedText } from '../../../domain/sending/interactive.ts';
import { aSettleScene, DOUBT_IS_OVER_MS } from './a-settle-scene.ts';
import type { SendAsked, SettleScene } from './a-settle-scene.ts';
import type { NetworkKind } from '../../../domain/network/network-event.ts';

const BUTTONS = { buttons: [{ type: 'reply' as const, text: 'yes' }] };
const LIST = { title: 'Menu', button: 'Choose', sections: [{ title: 'Hot', rows: [{ title: 'Tea', rowId: 't' }] }] };

interface Way {
  what: string;
  body: string;
  asked: SendAsked & { renderedAs?: 'native' | 'text' };
  shownAs: { kind: NetworkKind; body: string };
}

/** Messages under an id of the backend's choice, so that only their looks identify them. */
const WAYS: Way[] = [
  { what: 'a file', body: '', asked: { kind: 'image' }, shownAs: { kind: 'image', body: '' } },
  { what: 'a text', body: 'Good day', asked: {}, shownAs: { kind: 'text', body: 'Good day' } },
  {
    what: 'a list',
    body: 'What?',
    asked: { content: { list: LIST }, renderedAs: 'native' },
    shownAs: { kind: 'other', body: '' },
  },
  {
    what: 'a list as text',
    body: 'What?',
    asked: { content: { list: LIST }, renderedAs: 'text' },
    shownAs: { kind: 'text', body: asNumberedText('What?', LIST) },
  },
];

describe('settleMessage: a send whose answer was lost', () => {
  let scene: SettleScene;

  beforeAll(async () => {
    scene = await aSettleScene();
  });
  afterAll(() => scene.database.close());
  beforeEach(async () => {
    scene.shown = [];
    scene.aheadMs = 0;
    await scene.platformIs('WEBJS');
    await scene.aShownSend();
  });

  it('as a file that its backend puts 20 s before its claim is not sent again', async () => {
    const { messageId, chatId } = await scene.aLostSend('', { kind: 'image' });
    scene.shown.push(scene.own(chatId, 'EARLY1', '', { kind: 'image', aheadS: -20 }));
    expect(await scene.outcomeOf(messageId)).toMatchObject({ status: 'uncertain', errorCode: 'outcome_unknown' });
  });

  describe.each(WAYS)('as $what', ({ body, asked, shownAs }) => {
    it.each([-120, -30])('is not sent again where the chat shows it %i s off', async (aheadS) => {
      const { messageId, chatId } = await scene.aLostSend(body, asked);
      scene.shown.push(scene.own(chatId, `CHAT${messageId}`, shownAs.body, { ...shownAs, aheadS }));
      expect(await scene.outcomeOf(messageId)).toMatchObject({ status: 'uncertain', networkId: null });
    });

    it.each([-120, -30])('is not sent again where its echo comes %i s off', async (aheadS) => {
      const { messageId, chatId } = await scene.aLostSend(body, asked);
      await scene.hear(scene.own(chatId, `ECHO${messageId}`, shownAs.body, { ...shownAs, aheadS }));
      expect(await scene.outcomeOf(messageId)).toMatchObject({ status: 'uncertain', networkId: null });
    });

    it.each([30, 120])('is found where the chat shows it %i s ahead', async (aheadS) => {
      const { messageId, chatId } = await scene.aLostSend(body, asked);
      const networkId = `CHAT${messageId}`;
      scene.shown.push(scene.own(chatId, networkId, shownAs.body, { ...shownAs, aheadS }));
      expect(await scene.outcomeOf(messageId)).toMatchObject({ status: 'sent', networkId });
    });
  });

  it.each([-3_600_000, -3_000, 3_000, 120_000])(
    'is not sent again by what a backend does not show whose clock is %i ms off',
    async (aheadMs) => {
      scene.aheadMs = aheadMs;
      const { messageId } = await scene.aLostSend('nowhere');
      expect(await scene.outcomeOf(messageId)).toMatchObject({ status: 'uncertain' });
    },
  );

  it('is not sent again by what a backend does not show that does not tell its time', async () => {
    scene.aheadMs = null;
    const { messageId } = await scene.aLostSend('nowhere');
    expect(await scene.outcomeOf(messageId)).toMatchObject({ status: 'uncertain' });
  });

  it('is sent again where a backend of the same time does not show it', async () => {
    const { messageId } = await scene.aLostSend('nowhere');
    expect(await scene.outcomeOf(messageId)).toMatchObject({ status: 'queued' });
  });

  it('is not what was there before its claim, however the clocks differ', async () => {
    const chatId = scene.aChatId();
    const before = await scene.aClaimedSend('ok', { chatId });
    await scene.answer(before, 'BEFORE1');
    scene.shown.push(scene.own(chatId, 'BEFORE1', 'ok', { aheadS: 60 }));
    const { messageId } = await scene.aLostSend('ok', { chatId });
    expect(await scene.outcomeOf(messageId)).toMatchObject({ status: 'queued' });
  });

  it('is not sent again where its echo comes while the backend is asked for its clock', async () => {
    const { messageId, chatId } = await scene.aLostSend('heard late');
    scene.meanwhile.clock = () =>
      scene.hear(scene.own(chatId, 'LATE1', 'heard late', { aheadS: DOUBT_IS_OVER_MS / 1_000 }));
    expect(await scene.lookWhenDoubtIsOver(messageId)).toMatchObject({ status: 'sent', networkId: 'LATE1' });
  });

  it('is not sent again where what may be its echo comes while the backend is asked for its clock', async () => {
    const { messageId, chatId } = await scene.aLostSend('perhaps it');
    const early = scene.own(chatId, 'LATE2', 'perhaps it', { aheadS: -60 });
    scene.meanwhile.clock = () => scene.hear(early);
    expect(await scene.lookWhenDoubtIsOver(messageId)).toMatchObject({ status: 'sending' });
    expect(await scene.outcomeOf(messageId)).toMatchObject({ status: 'uncertain' });
  });

  it('is not sent again where its id is acked while the backend is asked for its clock', async () => {
    const { messageId, chatId } = await scene.aLostSend('acked late', { chosen: 'LATE3' });
    scene.meanwhile.clock = () => scene.hearAck(chatId, 'LATE3', 2);
    expect(await scene.lookWhenDoubtIsOver(messageId)).toMatchObject({ status: 'delivered', networkId: 'LATE3' });
  });

  it('is not sent again where its echo makes its chat another one while that is read', async () => {
    const phone = scene.aChatId();
    await scene.answer(await scene.aClaimedSend('to the phone', { chatId: phone }), 'PHONE7');
    await scene.aShownSend();
    const hidden = '777000000000007@lid';
    const { messageId } = await scene.aLostSend('to the hidden address', { chatId: hidden });
    const echo = scene.own(phone, 'MERGED1', 'to the hidden address', { aliases: [hidden] });
    scene.meanwhile.chats = () => scene.hear(echo);
    expect(await scene.lookWhenDoubtIsOver(messageId)).toMatchObject({ status: 'sent', networkId: 'MERGED1' });
  });

  it.each([true, false])(
    'is not sent again by a read without an address that its contact has since (which had a chat: %s)',
    async (hadChat) => {
      const phone = scene.aChatId();
      if (hadChat) await scene.answer(await scene.aClaimedSend('to the phone', { chatId: phone }), `PHONE${phone}`);
      await scene.aShownSend();
      const hidden = `7770000000001${hadChat ? 1 : 2}@lid`;
      const { messageId } = await scene.aLostSend('shown at the phone', { chatId: hidden });
      const networkId = `SHOWN${messageId}`;
      scene.shown.push(scene.own(phone, networkId, 'shown at the phone'));
      const inbound = scene.own(phone, `IN${messageId}`, 'it is me', { fromMe: false, aliases: [hidden] });
      scene.meanwhile.chats = () => scene.hear(inbound);
      expect(await scene.lookWhenDoubtIsOver(messageId)).toMatchObject({ status: 'sending' });
      await scene.look(messageId);
      expect(await scene.rowOf(messageId)).toMatchObject({ status: 'sent', networkId });
    },
  );

  it('is doubted as long as before when the wall clock steps', async () => {
    const { messageId } = await scene.aLostSend('before the step');
    const real = Date.now;
    const stepped = jest.spyOn(Date, 'now').mockImplementation(() => real() + DOUBT_IS_OVER_MS);
    try {
      await scene.look(messageId);
    } finally {
      stepped.mockRestore();
    }
    expect(await scene.rowOf(messageId)).toMatchObject({ status: 'sending' });
  });
});

describe('native buttons whose answer was lost', () => {
  let scene: SettleScene;

  beforeAll(async () => {
    scene = await aSettleScene();
    await scene.platformIs('NOWEB');
    await scene.aShownSend();
  });
  afterAll(() => scene.database.close());

  const lost = (asked: SendAsked & { renderedAs?: 'native' | 'text' } = { renderedAs: 'native' }) =>
    scene.aLostSend('Sure?', { content: { buttons: BUTTONS }, ...asked });

  it('are not sent again, for the engine shows none of its own', async () => {
    const { messageId } = await lost();
    expect(await scene.outcomeOf(messageId)).toMatchObject({ status: 'uncertain', errorCode: 'outcome_unknown' });
  });

  it('are not sent again where the process died before it knew how they went', async () => {
    const { messageId } = await lost({});
    expect(await scene.outcomeOf(messageId)).toMatchObject({ status: 'uncertain' });
  });

  it('are sent again where they went as text, which is shown', async () => {
    const { messageId } = await lost({ renderedAs: 'text' });
    expect(await scene.outcomeOf(messageId)).toMatchObject({ status: 'queued' });
  });

  it('are sent where the server acks an id in their chat that nothing else has', async () => {
    const { messageId, chatId } = await lost();
    await scene.hearAck(chatId, 'RELAYED1', 1);
    await scene.hearAck(chatId, 'RELAYED1', 2);
    expect(await scene.outcomeOf(messageId)).toMatchObject({
      status: 'delivered',
      networkId: 'RELAYED1',
      renderedAs: 'native',
    });
  });

  it('that were the last to go out do not keep a text of unknown outcome from being sent again', async () => {
    await scene.answer(await scene.aClaimedSend('Sure?', { content: { buttons: BUTTONS } }), 'NATIVE1', 'native');
    const { messageId } = await scene.aLostSend('after the buttons');
    expect(await scene.outcomeOf(messageId)).toMatchObject({ status: 'queued' });
  });

  it('are not what the phone wrote meanwhile, whose echo is late or has come', async () => {
    const late = await lost();
    await scene.hearAck(late.chatId, 'PHONE1', 1);
    scene.shown.push(scene.own(late.chatId, 'PHONE1', 'from the phone', { source: 'app' }));
    expect(await scene.outcomeOf(late.messageId)).toMatchObject({ status: 'uncertain', networkId: null });
    const known = await lost();
    await scene.hear(scene.own(known.chatId, 'PHONE2', 'from the phone', { source: 'app' }));
    await scene.hearAck(known.chatId, 'PHONE2', 1);
    expect(await scene.outcomeOf(known.messageId)).toMatchObject({ status: 'uncertain', networkId: null });
  });

  it('are not what is read only now, nor what was acked before or in another chat', async () => {
    const chatId = scene.aChatId();
    await scene.hearAck(chatId, 'OLD1', 1);
    scene.database.clock.advance(1_000);
    const { messageId } = await lost({ chatId, renderedAs: 'native' });
    await scene.hearAck(chatId, 'OLD2', 3);
    await scene.hearAck(scene.aChatId(), 'ELSEWHERE1', 1);
    expect(await scene.outcomeOf(messageId)).toMatchObject({ status: 'uncertain', networkId: null });
  });

  it('are neither of two that the server has acked', async () => {
    const { messageId, chatId } = await lost();
    await scene.hearAck(chatId, 'TWO1', 1);
    await scene.hearAck(chatId, 'TWO2', 1);
    expect(await scene.outcomeOf(messageId)).toMatchObject({ status: 'uncertain', networkId: null });
  });
});
