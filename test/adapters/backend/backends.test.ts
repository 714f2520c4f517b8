import { describe, expect, it } from '@jest/globals';
import { createBackends } from '../../../adapters/backend/backends.ts';
import { startStub } from './stub-backend.ts';

describe('the backends of an engine', () => {
  it('are each asked for their own sessions alone, with their own keys', async () => {
    const account = { json: { id: '15551230000@c.us' } };
    await using one = await startStub(() => account);
    await using two = await startStub(() => account);
    const more = { weight: 1, engine: null };
    const backends = createBackends([
      { id: 'default', url: one.baseUrl, apiKey: 'key-1', ...more },
      { id: 'two', url: two.baseUrl, apiKey: 'key-2', ...more },
    ]);
    await backends.of({ backend: 'two', name: 'shop' }).getMe('shop');
    expect(one.requests).toEqual([]);
    expect(two.requests).toMatchObject([{ path: '/api/sessions/shop/me', headers: { 'x-api-key': 'key-2' } }]);
    expect(backends.at({ backend: 'default', name: 'shop' })).toMatchObject({ url: one.baseUrl, apiKey: 'key-1' });
    await backends.close();
  });

  it('lack the backend of a session that was taken from the configuration, and ask no other', async () => {
    await using one = await startStub(() => ({ json: null }));
    const backends = createBackends([{ id: 'default', url: one.baseUrl, apiKey: null, weight: 1, engine: null }]);
    const session = { backend: 'gone', name: 'shop' };
    expect(backends.knows(session)).toBe(false);
    const unavailable = expect.objectContaining({ code: 'backend_unavailable' });
    expect(() => backends.of(session)).toThrow(unavailable);
    expect(() => backends.at(session)).toThrow(unavailable);
    await expect(backends.findPhone({ session, lid: '1@lid' })).rejects.toEqual(unavailable);
    expect(one.requests).toEqual([]);
    await backends.close();
  });
});
