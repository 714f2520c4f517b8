import { describe, expect, test } from '@jest/globals';
import { parseBackendEvent } from '../../../../adapters/backend/events/events.ts';
import { envelope, payloads } from './contract-payloads.ts';

function eventOf(eventName: string, payload: unknown) {
  const parsed = parseBackendEvent(envelope(eventName, payload));
  if (parsed.outcome !== 'parsed') throw new Error(`unparseable: ${parsed.reason}`);
  return parsed.event;
}

describe('acks', () => {
  test('a level of a direct message', () => {
    expect(eventOf('message.ack', payloads.ack)).toEqual({
      kind: 'ack',
      key: 'ack:3EB0785ED5B14F01C04FDE:3',
      networkId: '3EB0785ED5B14F01C04FDE',
      chatId: '15557654321@c.us',
      level: 3,
      error: null,
    });
  });

  test('an error says why and until when', () => {
    expect(eventOf('message.ack', payloads.errorAck)).toMatchObject({
      key: 'ack:3EB0FA6CC58E09EDEBB0CE:-1',
      level: -1,
      error: { code: '463', reason: 'account_restricted', until: '2026-11-22T02:00:00.000Z' },
    });
  });

  test('an error without a reason is an error all the same', () => {
    const { error: _error, ...bare } = payloads.errorAck;
    expect(eventOf('message.ack', bare)).toMatchObject({ level: -1, error: null });
    const odd = { ...bare, error: { code: 463, reason: 'a sentence with https://secret' } };
    expect(eventOf('message.ack', odd)).toMatchObject({ error: { code: '463', reason: 'unknown', until: null } });
  });

  test('a receipt of a group counts once per reader, under either event name', () => {
    const key = 'group-ack:3EB094374491843529AE47:15557654321@c.us:3';
    expect(eventOf('message.ack.group', payloads.groupAck)).toMatchObject({ key, chatId: '120363000000000000@g.us' });
    expect(eventOf('message.ack', payloads.groupAck)).toMatchObject({ key });
  });

  test('WEBJS names the reader as the participant', () => {
    const payload = { ...payloads.groupAck, participant: '15550001111@c.us', _data: {} };
    const key = 'group-ack:3EB094374491843529AE47:15550001111@c.us:3';
    expect(eventOf('message.ack.group', payload)).toMatchObject({ key });
  });

  test('a level of the whole group has no reader', () => {
    const payload = { ...payloads.groupAck, _data: {} };
    const key = 'ack:3EB094374491843529AE47:3';
    expect(eventOf('message.ack', payload)).toMatchObject({ key });
    expect(eventOf('message.ack.group', payload)).toMatchObject({ key });
  });

  test('the receipt of our own other devices says nothing about the group', () => {
    for (const userJid of ['15551230000@s.whatsapp.net', '15551230000:7@s.whatsapp.net', '99887766554433@lid']) {
      const payload = { ...payloads.groupAck, _data: { receipt: { userJid } } };
      expect(eventOf('message.ack.group', payload)).toMatchObject({ kind: 'ignored', reason: 'own_receipt' });
    }
  });

  test('levels nobody knows and levels of inbound messages are ignored', () => {
    expect(eventOf('message.ack', { ...payloads.ack, ack: 9 })).toMatchObject({ reason: 'unknown_ack_level' });
    const inbound = { ...payloads.ack, id: 'false_15557654321@c.us_3A01', ack: 2 };
    expect(eventOf('message.ack', inbound)).toMatchObject({ reason: 'ack_of_inbound_message' });
  });

  test('the level read of an inbound message tells that the owner has read it on the phone', () => {
    const inbound = { ...payloads.ack, id: 'false_15557654321@c.us_3A01', ack: 3 };
    expect(eventOf('message.ack', inbound)).toMatchObject({
      kind: 'read',
      key: 'read:3A01',
      networkId: '3A01',
      by: { fromMe: true },
    });
    const inGroup = (userJid: string) => ({
      ...payloads.groupAck,
      id: 'false_120363000000000000@g.us_3A02_15557654321@c.us',
      _data: { receipt: { userJid } },
    });
    expect(eventOf('message.ack.group', inGroup('15551230000@s.whatsapp.net'))).toMatchObject({ kind: 'read' });
    expect(eventOf('message.ack.group', inGroup('15559990000@s.whatsapp.net'))).toMatchObject({ kind: 'ignored' });
  });
});
