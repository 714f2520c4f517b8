import { describe, expect, test } from '@jest/globals';
import { startStub } from '../stub-backend.ts';

const address = { session: 'wa_agency_1_tenant_2', chatId: '15557654321@c.us' };

describe('presence', () => {
  test('typing and seen are told of a chat', async () => {
    await using stub = await startStub(() => ({ status: 201, json: { result: true } }));
    await stub.backend.startTyping(address);
    await stub.backend.stopTyping(address);
    await stub.backend.sendSeen(address);
    await stub.backend.subscribePresence(address);
    expect(stub.requests.map(({ path, body }) => [path, body])).toEqual([
      ['/api/startTyping', address],
      ['/api/stopTyping', address],
      ['/api/sendSeen', address],
      [`/api/${address.session}/presence/${address.chatId}/subscribe`, {}],
    ]);
  });
});

describe('readAck', () => {
  test('is the level of one own message, or null', async () => {
    const message = { ...address, networkId: '3EB0AA' };
    const own = { id: 'true_15557654321@c.us_3EB0AA', fromMe: true, ack: 2 };
    const version = { json: { version: '2026.7.1', engine: 'NOWEB' } };
    await using stub = await startStub(({ path }) =>
      path === '/api/server/version'
        ? version
        : path.endsWith('/3EB0AA')
          ? { json: own }
          : { status: 404, json: { message: 'Message not found' } },
    );
    expect(await stub.backend.readAck(message)).toBe(2);
    expect(await stub.backend.readAck({ ...message, networkId: '3EB0BB' })).toBeNull();
  });
});
