import { describe, expect, it } from '@jest/globals';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { countRows } from '../../support/rows.ts';
import { aSender } from './a-sender.ts';

const SEND = '/api/v1/messages/send';
const FILE = 'https://files.example/a.pdf';
const PLACE = { latitude: 1.5, longitude: 2.5 };
const POLL = { name: 'When?', options: ['Mon', 'Tue'] };
const DAY_MS = 24 * 60 * 60_000;

const api = await apiOfThisFile('sending-api');
const sender = await aSender(api, 'sender');

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
describe('what is refused', () => {
  const button = { type: 'reply', text: 'Yes' };
  it.each<[string, string, object, string, string]>([
    ['nothing to send', SEND, {}, 'content_required', '/text'],
    ['a blank text', SEND, { text: ' \n' }, 'content_required', '/text'],
    [
      'a file of this machine',
      SEND,
      { attachments: [{ url: 'file:///etc/passwd', kind: 'image' }] },
      'invalid_request',
      '/attachments/0/url',
    ],
    ['no file', SEND, { attachments: [{ kind: 'image' }] }, 'invalid_request', '/attachments/0/url'],
    [
      'a file and its address',
      SEND,
      { attachments: [{ url: FILE, data: 'AAAA', kind: 'image' }] },
      'invalid_request',
      '/attachments/0/data',
    ],
    [
      'a web page as a file',
      SEND,
      { attachments: [{ data: Buffer.from('<html><p>Hello').toString('base64'), kind: 'document' }] },
      'invalid_request',
      '/attachments/0/data',
    ],
    [
      'a kind that is none',
      SEND,
      { attachments: [{ url: FILE, kind: 'sticker' }] },
      'invalid_request',
      '/attachments/0/kind',
    ],
    [
      'eleven attachments',
      SEND,
      { attachments: Array.from({ length: 11 }, () => ({ url: FILE, kind: 'image' })) },
      'invalid_request',
      '/attachments',
    ],
    ['a mention of nobody', SEND, { text: 'x', mentions: ['15552009000', 'bob'] }, 'invalid_recipient', '/mentions/1'],
    ['a priority that is none', SEND, { text: 'x', priority: 'urgent' }, 'invalid_request', '/priority'],
    ['a time without a zone', SEND, { text: 'x', sendAt: '2026-01-01T10:00:00' }, 'invalid_request', '/sendAt'],
    ['a time in two years', SEND, { text: 'x', sendAt: inMs(730 * DAY_MS) }, 'invalid_request', '/sendAt'],
    ['an end that is over', SEND, { text: 'x', expiresAt: inMs(-1_000) }, 'invalid_request', '/expiresAt'],
    [
      'an end before the beginning',
      SEND,
      { text: 'x', sendAt: inMs(DAY_MS), expiresAt: inMs(1_000) },
      'invalid_request',
      '/expiresAt',
    ],
    ['a channel', SEND, { text: 'x', chatId: '120363000000000000@newsletter' }, 'invalid_recipient', '/chatId'],
    ['the stories', SEND, { text: 'x', chatId: 'status@broadcast' }, 'invalid_recipient', '/chatId'],
    ['a place and a text', SEND, { text: 'x', location: PLACE }, 'invalid_request', '/text'],
    ['a place and a poll', SEND, { poll: POLL, location: PLACE }, 'invalid_request', '/poll'],
    ['a place with a mention', SEND, { location: PLACE, mentions: ['15552009000'] }, 'invalid_request', '/mentions'],
    [
      'a place beyond the pole',
      SEND,
      { location: { latitude: 91, longitude: 0 } },
      'invalid_request',
      '/location/latitude',
    ],
    [
      'a poll with the same answer twice',
      SEND,
      { poll: { ...POLL, options: ['Mon', 'Mon'] } },
      'invalid_request',
      '/poll/options/1',
    ],
    ['a poll with one answer', SEND, { poll: { ...POLL, options: ['Mon'] } }, 'invalid_request', '/poll/options'],
    ['no contact', SEND, { contacts: [] }, 'invalid_request', '/contacts'],
    [
      'a contact without a number',
      SEND,
      { contacts: [{ name: 'Jane', phone: 'Jane' }] },
      'invalid_recipient',
      '/contacts/0/phone',
    ],
    [
      'a contact that is a group',
      SEND,
      { contacts: [{ name: 'Team', phone: '120363000000000000@g.us' }] },
      'invalid_request',
      '/contacts/0/phone',
    ],
    [
      'a forward that quotes',
      SEND,
      { forward: { messageId: 'msg_none' }, replyTo: 'msg_none' },
      'invalid_request',
      '/replyTo',
    ],
    ['buttons without a text', '/api/v1/sendButtons', { buttons: [button] }, 'content_required', '/text'],
    [
      'two different texts',
      '/api/v1/sendButtons',
      { text: 'x', body: 'y', buttons: [button] },
      'invalid_request',
      '/body',
    ],
    ['no buttons', '/api/v1/sendButtons', { body: 'x', buttons: [] }, 'invalid_request', '/buttons'],
    [
      'a link without an address',
      '/api/v1/sendButtons',
      { body: 'x', buttons: [button, { type: 'url', text: 'x' }] },
      'invalid_request',
      '/buttons/1/url',
    ],
    [
      'a list without rows',
      '/api/v1/sendList',
      { message: { title: 'x', button: 'x', sections: [] } },
      'invalid_request',
      '/message/sections',
    ],
    ['a field that is none', SEND, { text: 'x', sendat: inMs(DAY_MS) }, 'invalid_request', '/sendat'],
    [
      'a field of an attachment that is none',
      SEND,
      { attachments: [{ url: FILE, kind: 'image', filename: 'a.png' }] },
      'invalid_request',
      '/attachments/0/filename',
    ],
    [
      'a field of a button that is none',
      '/api/v1/sendButtons',
      { body: 'x', buttons: [{ ...button, payload: 'x' }] },
      'invalid_request',
      '/buttons/0/payload',
    ],
    [
      'an address with a password',
      SEND,
      { attachments: [{ url: 'https://me:secret@files.example/a.pdf', kind: 'image' }] },
      'invalid_request',
      '/attachments/0/url',
    ],
    [
      'two buttons that say the same',
      '/api/v1/sendButtons',
      { body: 'x', buttons: [button, { ...button, text: 'yes ', id: 'y' }] },
      'invalid_request',
      '/buttons/1/text',
    ],
    [
      'two buttons of one id',
      '/api/v1/sendButtons',
      { body: 'x', buttons: [button, { type: 'reply', text: 'No', id: 'Yes' }] },
      'invalid_request',
      '/buttons/1/id',
    ],
    [
      'two rows of one id',
      '/api/v1/sendList',
      {
        message: {
          title: 'x',
          button: 'x',
          sections: ['Monday', 'Tuesday'].map((title) => ({ title, rows: [{ title: '9:00', rowId: 'nine' }] })),
        },
      },
      'invalid_request',
      '/message/sections/1/rows/0/rowId',
    ],
    [
      'two rows that say the same',
      '/api/v1/sendList',
      {
        message: {
          title: 'x',
          button: 'x',
          sections: [{ title: '', rows: ['1', '2'].map((rowId) => ({ title: '9:00', rowId })) }],
        },
      },
      'invalid_request',
      '/message/sections/0/rows/1/title',
    ],
    ...['x@c.us', '1234@c.us', '1234567890123456@c.us', 'ab-c@g.us', '-1@g.us', 'me@lid', '1@c.us@lid'].map(
      (chatId): [string, string, object, string, string] => [
        `the chat id ${chatId}`,
        SEND,
        { to: undefined, chatId, text: 'x' },
        'invalid_recipient',
        '/chatId',
      ],
    ),
    ['no file', '/api/v1/media/send', { kind: 'image' }, 'invalid_request', '/url'],
  ])('%s gets a 422 that points to the field', async (_what, path, body, code, pointer) => {
    const answer = await sender.post(path, { to: '+15552009999', ...body });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code, errors: [{ pointer }] });
    expect(await countRows(api.database, 'contactAlias', { chatId: '15552009999@c.us' })).toBe(0);
  });

  it("these routes are the engine's own: none of their methods goes to the backend", async () => {
    for (const path of ['/api/v1/sendButtons', '/api/v1/sendList', '/api/v1/media/send']) {
      expect((await sender.get(path)).body).toMatchObject({ code: 'method_not_allowed', status: 405 });
    }
  });
});
