import { describe, expect, test } from '@jest/globals';
import { readVcard } from '../../../../adapters/backend/events/content/vcard.ts';
import { toNetworkMessage } from '../../../../adapters/backend/events/message.ts';
import { payloads } from './contract-payloads.ts';

function read(over: Record<string, unknown>) {
  const message = toNetworkMessage({ ...payloads.direct, body: null, ...over });
  return message && { kind: message.kind, body: message.body, content: message.content };
}
const noweb = (message: Record<string, unknown>) => ({ _data: { message } });
const webjs = (data: Record<string, unknown>) => ({ _data: data });

describe('a location', () => {
  const place = { latitude: 1.5, longitude: -2.25, name: 'Shop', address: 'Road 1', url: null };

  test('has numbers also where the backend tells them as strings', () => {
    const location = { live: false, latitude: '1.5', longitude: '-2.25', name: 'Shop', address: 'Road 1', url: null };
    const content = { location: { ...place, live: false } };
    expect(read({ location, _data: null })).toEqual({ kind: 'location', body: '', content });
  });

  test('that is live says so', () => {
    const message = { liveLocationMessage: { degreesLatitude: 1.5, degreesLongitude: -2.25, name: 'Shop' } };
    expect(read(noweb(message))).toMatchObject({ kind: 'location', content: { location: { live: true } } });
  });

  test('that does not say where shows its kind alone', () => {
    expect(read({ location: { latitude: 'here' }, _data: null })).toEqual({ kind: 'location', body: '' });
  });
});

describe('contact cards', () => {
  const eve = 'BEGIN:VCARD\nVERSION:3.0\nFN:Eve\nTEL;waid=15551112222:+1 555 111 2222\nEND:VCARD';

  test('show names and phones', () => {
    expect(read({ vCards: [eve], _data: null })).toMatchObject({
      kind: 'contact',
      content: {
        contacts: [{ name: 'Eve', phones: [{ number: '+1 555 111 2222', phone: '15551112222' }], vcard: eve }],
      },
    });
    const several = { contactsArrayMessage: { contacts: [{ vcard: eve }, { vcard: eve }] } };
    expect(read(noweb(several))?.content?.contacts).toHaveLength(2);
  });

  test.each([
    [
      'groups, folded lines and escapes',
      'item1.TEL;type=CELL:+49\r\n  151\r\nORG:Smith\\, Sons;Sales\r\nN:Meyer;Alex;;;',
      {
        name: 'Alex Meyer',
        organization: 'Smith, Sons Sales',
        phones: [{ number: '+49 151', phone: null }],
      },
    ],
    [
      'a link for a number, and an e-mail',
      'FN:A\nTEL;VALUE=uri:tel:+15551\nEMAIL;TYPE=work:a@b.example',
      {
        phones: [{ number: '+15551', phone: null }],
        emails: ['a@b.example'],
      },
    ],
    ['a parameter in quotation marks', 'FN:A\nTEL;X="a:b;c":+1', { phones: [{ number: '+1', phone: null }] }],
    ['nonsense', 'no card\n:::\n;;\nFN', { name: null, phones: [], emails: [] }],
  ])('are read with %s', (_what, vcard, card) => {
    expect(readVcard(vcard)).toMatchObject(card);
  });

  test('leave pictures away', () => {
    expect(readVcard(`FN:A\nPHOTO;ENCODING=b:${'A'.repeat(100)}\n ${'B'.repeat(100)}`).vcard).toBe('FN:A');
  });
});

describe('the people whom a message mentions', () => {
  const words = '@15551112222 and @880001';
  const people = ['15551112222@s.whatsapp.net', '880001@lid'];
  const named = ['15551112222@c.us', '880001@lid'];

  test.each([
    ['NOWEB', noweb({ extendedTextMessage: { text: words, contextInfo: { mentionedJid: people } } })],
    [
      'NOWEB, in a disappearing caption',
      noweb({
        ephemeralMessage: { message: { imageMessage: { caption: words, contextInfo: { mentionedJid: people } } } },
      }),
    ],
    [
      'GOWS',
      {
        _data: {
          Info: {},
          Message: { extendedTextMessage: { text: words, contextInfo: { mentionedJID: people } } },
        },
      },
    ],
    ['WEBJS and WPP', webjs({ type: 'chat', mentionedJidList: named.map((_serialized) => ({ _serialized })) })],
    ['WEBJS, as texts', webjs({ type: 'chat', mentionedJidList: named })],
  ])('are read from %s', (_engine, raw) => {
    expect(read({ body: words, ...raw })?.content).toMatchObject({ mentions: named });
  });

  test.each([
    ['no list', { mentionedJid: 'everybody' }],
    ['an empty list', { mentionedJid: [] }],
    ['what are no people', { mentionedJid: [null, 7, {}, 'x', '120363000000007001@g.us'] }],
    [
      'those of a quoted message',
      { quotedMessage: { extendedTextMessage: { contextInfo: { mentionedJid: people } } } },
    ],
  ])('are not %s', (_what, contextInfo) => {
    const raw = noweb({ extendedTextMessage: { text: words, contextInfo } });
    expect(read({ body: words, ...raw })).toEqual({ kind: 'text', body: words });
  });

  test('are named once each', () => {
    const contextInfo = { mentionedJid: [...people, ...people] };
    const raw = noweb({ extendedTextMessage: { text: words, contextInfo } });
    expect(read({ body: words, ...raw })?.content).toEqual({ mentions: named });
  });
});

describe('a poll', () => {
  const asked = { name: 'Which day?', options: ['Mon', 'Tue'], multipleAnswers: false };

  test.each([
    [
      'NOWEB',
      noweb({
        pollCreationMessageV3: {
          name: 'Which day?',
          options: [{ optionName: 'Mon' }, { optionName: 'Tue' }],
          selectableOptionsCount: 1,
        },
      }),
    ],
    [
      'WEBJS',
      webjs({
        type: 'poll_creation',
        pollName: 'Which day?',
        pollOptions: [{ name: 'Mon' }, { name: 'Tue' }],
        pollSelectableOptionsCount: 1,
      }),
    ],
  ])('of %s shows what it asks', (_engine, over) => {
    expect(read(over)).toEqual({ kind: 'poll', body: 'Which day?', content: { poll: asked } });
  });

  test('whose options hold what no database takes shows them without that', () => {
    const names = ['Mon\u0000', 'Tue\ud800'];
    const poll = { name: 'Which?', options: names.map((optionName) => ({ optionName })), selectableOptionsCount: 1 };
    const content = { poll: { name: 'Which?', options: ['Mon', 'Tue\ufffd'], multipleAnswers: false } };
    expect(read(noweb({ pollCreationMessage: poll }))).toMatchObject({ content });
    const pollOptions = names.map((name) => ({ name }));
    const own = { type: 'poll_creation', pollName: 'Which?', pollOptions, pollSelectableOptionsCount: 1 };
    expect(read(webjs(own))).toMatchObject({ content });
  });

  test('allows several answers where nothing bounds them', () => {
    const poll = { name: 'Which?', options: [], selectableOptionsCount: 0 };
    expect(read(noweb({ pollCreationMessage: poll }))).toMatchObject({ content: { poll: { multipleAnswers: true } } });
  });
});

describe('a file that is to be seen once', () => {
  const image = { imageMessage: { mimetype: 'image/jpeg' } };
  const media = { url: 'http://x/f.jpg', mimetype: 'image/jpeg' };

  test.each([
    ['in its wrapper', noweb({ viewOnceMessageV2: { message: image } })],
    ['by its mark', noweb({ imageMessage: { mimetype: 'image/jpeg', viewOnce: true } })],
    ['by the mark of WEBJS', webjs({ type: 'image', isViewOnce: true })],
  ])('is known %s, and left to the phone', (_how, over) => {
    const message = toNetworkMessage({ ...payloads.direct, hasMedia: true, media, ...over });
    expect(message).toMatchObject({ kind: 'image', hasMedia: false, media: null, content: { viewOnce: true } });
  });
});

describe('what nobody wrote', () => {
  test.each([
    ['pinned', noweb({ pinInChatMessage: {} }), 'message_pinned'],
    ['of a group', webjs({ type: 'gp2' }), 'group'],
    ['of encryption', webjs({ type: 'e2e_notification' }), 'encryption'],
    ['of anything else', webjs({ type: 'notification_template' }), 'system'],
  ])('is a notice: %s', (_what, over, type) => {
    expect(read(over)).toMatchObject({ kind: 'notice', content: { notice: { type } } });
  });

  test.each([['reactionMessage'], ['pollUpdateMessage'], ['protocolMessage'], ['senderKeyDistributionMessage']])(
    'is no message where it only changes another: %s',
    (name) => {
      expect(read(noweb({ [name]: {}, messageContextInfo: {} }))).toBeNull();
    },
  );
});

describe('what the engine cannot show', () => {
  test('is named as the network names it', () => {
    const order = { kind: 'other', content: { unsupported: 'orderMessage' } };
    expect(read(noweb({ orderMessage: {}, messageContextInfo: {} }))).toMatchObject(order);
    expect(read(webjs({ type: 'product' }))).toMatchObject({ kind: 'other', content: { unsupported: 'product' } });
  });

  test('shows no name that may be anything', () => {
    expect(read(webjs({ type: 'a b c' }))).toEqual({ kind: 'other', body: '', content: undefined });
  });
});

describe('the words of a model of WhatsApp Web', () => {
  const jpeg = `/9j/4AAQ${'SkZJRgABAQAA'.repeat(10)}==`;

  test.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
    [
      'an order',
      { type: 'order', orderTitle: 'Shop', message: 'Please bring it tomorrow' },
      {},
      'Please bring it tomorrow',
    ],
    ['an order without a note', { type: 'order', orderTitle: 'Shop', message: '' }, {}, 'Shop'],
    ['an order that shows its picture', { type: 'order', message: 'Two, please' }, { body: jpeg }, 'Two, please'],
    ['a product that shows its picture', { type: 'product', title: 'A bike' }, { body: jpeg }, 'A bike'],
    [
      'a list',
      { type: 'list', list: { title: 'Menu', description: 'Choose', buttonText: 'Open' } },
      {},
      'Menu\nChoose',
    ],
    ['a list without a title', { type: 'list', list: { description: 'Choose', sections: [] } }, {}, 'Choose'],
    ['a list of one button', { type: 'list', list: { title: '', buttonText: 'Open' } }, {}, 'Open'],
    ['buttons', { type: 'buttons', contentText: 'Yes or no?' }, {}, 'Yes or no?'],
    ['words of its own', { type: 'order', message: 'Two' }, { body: 'Three' }, 'Three'],
  ])('are read of %s', (_what, data, over, words) => {
    expect(read({ ...webjs(data), ...over })).toMatchObject({ body: words });
  });

  test('are none where a place shows its map', () => {
    const location = { latitude: 1.5, longitude: 2 };
    expect(read({ ...webjs({ type: 'location' }), location, body: jpeg })).toMatchObject({
      kind: 'location',
      body: '',
    });
    expect(read({ ...webjs({ type: 'location' }), location, body: 'Here' })).toMatchObject({ body: 'Here' });
  });

  test('are a text where somebody writes such letters', () => {
    expect(read({ ...webjs({ type: 'chat' }), body: jpeg })).toMatchObject({ kind: 'text', body: jpeg });
  });
});
