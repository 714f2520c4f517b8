import { describe, expect, test } from '@jest/globals';
import { startStub } from '../stub-backend.ts';

describe("the backend's own key of a session", () => {
  test('is asked for with nothing but the session that it opens', async () => {
    await using stub = await startStub(() => ({ status: 201, json: { id: 'key_id_1', key: 'key_1', isActive: true } }));
    expect(await stub.backend.makeSessionKey('shop')).toEqual({ id: 'key_id_1', key: 'key_1' });
    expect(stub.requests).toMatchObject([
      { method: 'POST', path: '/api/keys', body: { isAdmin: false, session: 'shop', isActive: true } },
    ]);
  });

  test.each([401, 403, 404, 422, 501])('is none where the backend answers %i', async (status) => {
    await using stub = await startStub(() => ({ status, json: { message: 'no' } }));
    expect(await stub.backend.makeSessionKey('shop')).toBeNull();
  });

  test('is not believed in when the backend fails', async () => {
    await using stub = await startStub(() => ({ status: 500, json: { message: 'no' } }));
    await expect(stub.backend.makeSessionKey('shop')).rejects.toMatchObject({ code: 'backend_error' });
  });

  test('is deleted twice without an error', async () => {
    await using stub = await startStub(({ path }) => (path === '/api/keys/key_id_1' ? {} : { status: 404, json: {} }));
    await stub.backend.deleteSessionKey('key_id_1');
    await stub.backend.deleteSessionKey('gone');
    expect(stub.requests.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
  });
});
