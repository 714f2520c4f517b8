import { describe, expect, it } from '@jest/globals';
import { cardOf } from '../../../../domain/sending/native/vcard.ts';

describe('a contact card', () => {
  it('is a vCard by which the network finds the person', () => {
    const fields = { name: 'Jane Doe', digits: '15557654321', organization: 'Shop', email: 'jane@shop.example' };
    expect(cardOf(fields)).toEqual({
      name: 'Jane Doe',
      organization: 'Shop',
      phones: [{ number: '+15557654321', phone: '15557654321' }],
      emails: ['jane@shop.example'],
      vcard: [
        'BEGIN:VCARD',
        'VERSION:3.0',
        'N:;Jane Doe;;;',
        'FN:Jane Doe',
        'ORG:Shop;',
        'TEL;type=CELL;type=VOICE;waid=15557654321:+15557654321',
        'EMAIL;type=INTERNET:jane@shop.example',
        'END:VCARD',
      ].join('\n'),
    });
  });

  it('keeps what somebody writes into a name from becoming a part of the card', () => {
    const { vcard } = cardOf({ name: 'Doe; Jane, \\ \r\nTEL:+1', digits: '15557654321' });
    expect(vcard.split('\n')).toHaveLength(6);
    expect(vcard).toContain(String.raw`FN:Doe\; Jane\, \\ \nTEL:+1`);
  });
});
