import { describe, expect, test } from '@jest/globals';
import { startStub } from './stub-backend.ts';

describe('capabilities', () => {
  function backendOf(version: string | null, engine: string) {
    return startStub(({ path }) =>
      path === '/api/server/version' ? { json: { version, engine } } : { json: { id: '3EB0NEW' } },
    );
  }

  test.each([
    ['2026.4.3', 'NOWEB', true],
    ['2026.7.1', 'GOWS', true],
    ['2026.10.0', 'NOWEB', true],
    ['2027.1.1', 'NOWEB', true],
    ['2026.4.2', 'NOWEB', false],
    ['2025.11.3', 'NOWEB', false],
    ['2026.7.1', 'WEBJS', false],
    ['nightly', 'NOWEB', false],
    [null, 'NOWEB', false],
  ])('%s with %s lets the caller choose ids: %s', async (version, engine, callerChosenIds) => {
    await using stub = await backendOf(version, engine);
    expect(await stub.backend.capabilities()).toMatchObject({ version, platform: engine, callerChosenIds });
    const chosen = await stub.backend.chooseMessageId();
    if (callerChosenIds) expect(chosen).toMatch(/^3EB0[0-9A-F]{18}$/);
    else expect(chosen).toBeNull();
  });

  test("a session's own platform counts more than the backend's", async () => {
    await using stub = await backendOf('2026.7.1', 'WEBJS');
    expect(await stub.backend.capabilities('NOWEB')).toMatchObject({ callerChosenIds: true });
    expect(await stub.backend.chooseMessageId('WEBJS')).toBeNull();
  });

  test('the version is asked once a minute, once by many at a time, and at once by whoever refuses something', async () => {
    let now = 0;
    await using stub = await startStub(() => ({ json: { version: '2026.7.1', engine: 'NOWEB' } }), { now: () => now });
    await Promise.all([stub.backend.capabilities(), stub.backend.capabilities()]);
    now = 59_000;
    await stub.backend.capabilities();
    expect(stub.requests).toHaveLength(1);
    now = 60_000;
    await stub.backend.capabilities();
    expect(stub.requests).toHaveLength(2);
    await stub.backend.capabilities('NOWEB', { isAskedAgain: true });
    expect(stub.requests).toHaveLength(3);
  });

  test('a failed probe is not remembered', async () => {
    let status = 500;
    await using stub = await startStub(() => ({ status, json: { version: '2026.7.1', engine: 'NOWEB' } }));
    await expect(stub.backend.capabilities()).rejects.toMatchObject({ code: 'backend_error' });
    status = 200;
    expect(await stub.backend.capabilities()).toMatchObject({ callerChosenIds: true });
  });
});

describe('checkExists', () => {
  test('tells the chat id that the network uses', async () => {
    await using stub = await startStub(() => ({ json: { numberExists: true, chatId: '5511@s.whatsapp.net' } }));
    const answer = await stub.backend.checkExists({ session: 's', phone: '+55 (11) 9' });
    expect(answer).toEqual({ exists: true, chatId: '5511@c.us' });
    expect(stub.requests[0]).toMatchObject({
      path: '/api/contacts/check-exists',
      query: { session: 's', phone: '55119' },
    });
  });

  test('tells that there is none', async () => {
    await using stub = await startStub(() => ({ json: { numberExists: false } }));
    expect(await stub.backend.checkExists({ session: 's', phone: '1' })).toEqual({ exists: false, chatId: null });
  });
});

describe('findPhone', () => {
  const hidden = { session: 's', lid: '123@lid' };

  test('tells the phone behind a hidden id', async () => {
    await using stub = await startStub(() => ({ json: { lid: '123@lid', pn: '5511@s.whatsapp.net' } }));
    expect(await stub.backend.findPhone(hidden)).toBe('5511@c.us');
    expect(stub.requests[0]?.path).toBe('/api/s/lids/123@lid');
  });

  test.each([
    [200, { lid: '123@lid', pn: null }],
    [404, { message: 'Cannot GET', statusCode: 404 }],
    [501, { message: 'not implemented', statusCode: 501 }],
  ])('knows none where the backend answers %i', async (status, json) => {
    await using stub = await startStub(() => ({ status, json }));
    expect(await stub.backend.findPhone(hidden)).toBeNull();
  });

  test('has no answer where the session does not run, which is a 404 as well', async () => {
    const json = { message: "We didn't find a session with name 's'. Please start it first by using POST request" };
    await using stub = await startStub(() => ({ status: 404, json }));
    await expect(stub.backend.findPhone(hidden)).rejects.toMatchObject({ code: 'session_not_ready' });
  });

  test('has no answer where the backend fails', async () => {
    await using stub = await startStub(() => ({ status: 500, json: {} }));
    await expect(stub.backend.findPhone(hidden)).rejects.toMatchObject({ code: 'backend_error' });
  });
});

describe('errors of reads', () => {
  const reading = { session: 's', me: { chatId: null, lid: null }, limit: 1, offset: 0 };
  const stack = { statusCode: 500, exception: { message: 'secret words', stack: 'at secret' } };

  test.each([
    ['a bad key', 401, { message: 'Unauthorized', statusCode: 401 }, 'backend_error'],
    ['a key without the scope', 403, { message: 'Forbidden', statusCode: 403 }, 'backend_error'],
    ['an unknown route', 404, { message: 'Cannot GET /api/s/chats/overview' }, 'backend_error'],
    ['an unknown thing', 404, { message: 'Session not found' }, 'not_found'],
    ['an unknown session', 422, { error: 'Session "s" does not exist', session: 's' }, 'not_found'],
    [
      'a session that is not working',
      422,
      { error: 'x', status: 'FAILED', expected: ['WORKING'] },
      'session_not_ready',
    ],
    ['a session that is not running', 404, { message: "didn't find … Please start it first" }, 'session_not_ready'],
    ['no session in the body', 422, { error: 'Session name is required' }, 'backend_error'],
    ['a bad query', 400, { message: ['limit must be a number'], statusCode: 400 }, 'backend_error'],
    ['an engine without the feature', 501, { message: 'not implemented' }, 'not_supported_by_engine'],
    ['an edition without the feature', 422, { message: 'only in Plus version' }, 'not_supported_by_engine'],
    ['an engine failure', 500, stack, 'backend_error'],
    ['a gateway', 502, '<html>', 'backend_unavailable'],
    ['an answer of another shape', 200, { not: 'a list' }, 'backend_error'],
  ])('%s', async (_title, status, json, code) => {
    await using stub = await startStub(() => ({ status, json }));
    const failure = stub.backend.listChats(reading);
    await expect(failure).rejects.toMatchObject({ name: 'EngineError', code });
    await expect(failure).rejects.not.toMatchObject({ message: expect.stringContaining('secret') });
  });

  test('no connection, a broken one and no answer in time are all unavailable', async () => {
    await using broken = await startStub(() => (response) => response.destroy());
    await expect(broken.backend.listChats(reading)).rejects.toMatchObject({ code: 'backend_unavailable' });
    await using slow = await startStub(() => () => undefined, { readTimeoutMs: 50 });
    await expect(slow.backend.listChats(reading)).rejects.toMatchObject({ code: 'backend_unavailable' });
    await broken.backend.close();
    await expect(broken.backend.listChats(reading)).rejects.toMatchObject({ code: 'backend_unavailable' });
  });
});

describe('ping', () => {
  test('says whether the backend answers, and never throws', async () => {
    await using up = await startStub(({ path }) =>
      path === '/ping' ? { json: { message: 'pong' } } : { status: 500 },
    );
    expect(await up.backend.ping()).toBe(true);
    await using broken = await startStub(() => (response) => response.destroy());
    expect(await broken.backend.ping()).toBe(false);
  });
});
