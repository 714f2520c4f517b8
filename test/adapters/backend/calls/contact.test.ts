import { describe, expect, it } from '@jest/globals';
import { toNetworkContact } from '../../../../adapters/backend/calls/contact.ts';

const NOBODY = { lid: null, name: null, pushName: null, isMyContact: false, isBlocked: null };

describe('an entry of the list of contacts', () => {
  it.each([
    [
      'of NOWEB with a name, who is in the address book',
      { id: '15557654321@c.us', name: 'Alice Smith', pushname: 'Alice' },
      { ...NOBODY, chatId: '15557654321@c.us', name: 'Alice Smith', pushName: 'Alice', isMyContact: true },
    ],
    [
      'of NOWEB with a hidden id',
      { id: '15558880001@s.whatsapp.net', lid: '777000777000777@lid', pushname: 'Caro' },
      { ...NOBODY, chatId: '15558880001@c.us', lid: '777000777000777@lid', pushName: 'Caro' },
    ],
    [
      'with a hidden id alone, which it may repeat',
      { id: '777000777000777@lid', lid: '777000777000777@lid', name: '' },
      { ...NOBODY, chatId: '777000777000777@lid' },
    ],
    [
      'of WEBJS, which says itself who is in the address book and who is blocked',
      { id: { _serialized: '15557654321@c.us' }, name: 'Alice', isMyContact: false, isBlocked: true, isMe: false },
      { ...NOBODY, chatId: '15557654321@c.us', name: 'Alice', isBlocked: true },
    ],
    [
      'with odd fields, of which each costs itself only',
      { id: '15557654321@c.us', name: 7, lid: 'nonsense', isBlocked: 'yes' },
      { ...NOBODY, chatId: '15557654321@c.us' },
    ],
  ])('%s is that person', (_, raw, contact) => {
    expect(toNetworkContact(raw)).toEqual(contact);
  });

  it.each([
    ['the account itself', { id: '15551230000@c.us', isMe: true }],
    ['a group', { id: '120363000000000000@g.us', name: 'Team' }],
    ['a channel', { id: '120363000000000000@newsletter' }],
    ['without an address', { name: 'Nobody' }],
    ['no object', 'Alice'],
  ])('that is %s is no person', (_, raw) => {
    expect(toNetworkContact(raw)).toBeNull();
  });
});
