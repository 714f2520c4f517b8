import { describe, expect, test } from '@jest/globals';
import { startStub } from '../stub-backend.ts';
import type { StubRequest } from '../stub-backend.ts';

const spec = {
  name: 'wa_agency_1_tenant_2',
  sessionId: 'ses_ours',
  adopts: false,
  webhookUrl: 'http://engine/hook',
  webhookSecret: 'hush',
  events: ['session.status', 'message.any'],
};

const path = `/api/sessions/${spec.name}`;
const me = { id: '15551230000@c.us', pushName: 'Test Account', lid: '99887766554433@lid' };
const exists = { status: 422, json: { message: `Session '${spec.name}' already exists. Use PUT to update it.` } };

function session(over: Record<string, unknown> = {}) {
  return { name: spec.name, status: 'WORKING', me, engine: { engine: 'NOWEB' }, config: {}, ...over };
}

function asked(requests: StubRequest[]): string[] {
  return requests.map((request) => `${request.method} ${request.path}`);
}

/** A backend that holds the session already, with the configuration a first creation would have given it. */
async function startWithSession(status: string, change: (config: Record<string, unknown>) => void = () => undefined) {
  await using first = await startStub(() => ({ status: 201, json: session() }));
  await first.backend.createSession(spec);
  const config: Record<string, unknown> = structuredClone(Object(first.requests[0]?.body['config']));
  change(config);
  return startStub((request) => {
    if (request.method === 'POST' && request.path === '/api/sessions') return exists;
    if (request.path.endsWith('/start')) return { status: 201, json: session({ status: 'STARTING' }) };
    return { json: session({ status, config }) };
  });
}

describe('ensureSession', () => {
  test('is one read where nothing differs', async () => {
    await using stub = await startWithSession('WORKING');
    expect(await stub.backend.ensureSession(spec)).toMatchObject({ status: 'WORKING' });
    expect(asked(stub.requests)).toEqual([`GET ${path}`]);
  });

  test('brings another webhook up to date and leaves a stopped one stopped', async () => {
    await using stub = await startWithSession('STOPPED');
    await stub.backend.ensureSession({ ...spec, webhookSecret: 'other' });
    expect(asked(stub.requests)).toEqual([`GET ${path}`, `PUT ${path}`]);
  });

  test('leaves a session alone that has the secret of before, and gives the new one with any other change', async () => {
    const known = { ...spec, webhookSecret: 'its own', formerWebhookSecret: 'hush' };
    await using stub = await startWithSession('WORKING');
    await stub.backend.ensureSession(known);
    expect(asked(stub.requests)).toEqual([`GET ${path}`]);
    await stub.backend.ensureSession({ ...known, webhookUrl: 'http://elsewhere/hook' });
    expect(stub.requests.at(-1)).toMatchObject({
      method: 'PUT',
      body: { config: { webhooks: [{ hmac: { key: 'its own' } }] } },
    });
  });

  test('leaves a session alone that hears what the release before asked for, and nothing else', async () => {
    const more = { ...spec, events: [...spec.events, 'label.upsert'] };
    await using stub = await startWithSession('WORKING');
    expect(await stub.backend.ensureSession({ ...more, formerEvents: spec.events })).toMatchObject({
      awaitsRenewal: true,
    });
    expect(asked(stub.requests)).toEqual([`GET ${path}`]);
    await stub.backend.ensureSession({ ...more, formerEvents: ['session.status'] });
    expect(stub.requests.at(-1)).toMatchObject({
      method: 'PUT',
      body: { config: { webhooks: [{ events: more.events }] } },
    });
  });

  test('makes one that is not there', async () => {
    await using stub = await startStub(({ method }) =>
      method === 'GET' ? { status: 404, json: {} } : { status: 201, json: session({ status: 'STARTING' }) },
    );
    expect(await stub.backend.ensureSession(spec)).toMatchObject({ status: 'STARTING' });
    expect(asked(stub.requests)).toEqual([`GET ${path}`, 'POST /api/sessions']);
  });
});

describe('createSession', () => {
  test('creates and starts with a signed webhook, the store and the switches that matter', async () => {
    await using stub = await startStub(() => ({ status: 201, json: session({ status: 'STARTING', me: null }) }));
    const created = await stub.backend.createSession(spec);
    expect(created).toMatchObject({
      name: spec.name,
      status: 'STARTING',
      me: null,
      platform: 'NOWEB',
      restriction: null,
      newChats: null,
    });
    expect(stub.requests[0]).toMatchObject({
      method: 'POST',
      path: '/api/sessions',
      body: {
        name: spec.name,
        start: true,
        config: {
          metadata: { sessionId: 'ses_ours' },
          webhooks: [
            {
              url: spec.webhookUrl,
              events: spec.events,
              hmac: { key: 'hush' },
              retries: { policy: 'exponential', delaySeconds: 2, attempts: 10 },
            },
          ],
          noweb: { store: { enabled: true } },
          webjs: { tagsEventsOn: true },
        },
      },
    });
  });

  test('a session that exists as wanted is left alone', async () => {
    await using stub = await startWithSession('WORKING');
    expect(await stub.backend.createSession(spec)).toMatchObject({ status: 'WORKING' });
    expect(asked(stub.requests)).toEqual(['POST /api/sessions', `GET ${path}`]);
  });

  test('the order of the events is no difference', async () => {
    await using stub = await startWithSession('WORKING');
    await stub.backend.createSession({ ...spec, events: spec.events.toReversed() });
    expect(asked(stub.requests)).not.toContain(`PUT ${path}`);
  });

  test('a stopped one is started', async () => {
    await using stub = await startWithSession('STOPPED');
    expect(await stub.backend.createSession(spec)).toMatchObject({ status: 'STARTING' });
    expect(asked(stub.requests)).toEqual(['POST /api/sessions', `GET ${path}`, `POST ${path}/start`]);
  });

  test.each<[string, Partial<typeof spec>]>([
    ['url', { webhookUrl: 'http://elsewhere/hook' }],
    ['secret', { webhookSecret: 'other' }],
    ['events', { events: ['message.any'] }],
  ])('another %s replaces the configuration and keeps what is not ours', async (_title, change) => {
    await using stub = await startWithSession('WORKING', (config) => {
      config['proxy'] = { server: 'proxy:1' };
      config['noweb'] = { markOnline: true, store: { enabled: true, fullSync: true } };
    });
    await stub.backend.createSession({ ...spec, ...change });
    const put = stub.requests.find(({ method }) => method === 'PUT');
    expect(put).toMatchObject({
      path,
      body: {
        config: {
          proxy: { server: 'proxy:1' },
          noweb: { markOnline: true, store: { enabled: true, fullSync: true } },
          webhooks: [{ url: change.webhookUrl ?? spec.webhookUrl, hmac: { key: change.webhookSecret ?? 'hush' } }],
        },
      },
    });
  });

  test('a webhook that was lost is put back', async () => {
    await using stub = await startWithSession('WORKING', (config) => {
      delete config['webhooks'];
    });
    await stub.backend.createSession(spec);
    expect(asked(stub.requests)).toContain(`PUT ${path}`);
  });

  describe.each([
    ['another session of an engine', { sessionId: 'ses_other' }],
    ['another program', { owner: 'crm' }],
    ['somebody by hand', null],
  ])('of a name that the backend has from %s', (_title, metadata) => {
    const foreign = () => startWithSession('STOPPED', (config) => void (config['metadata'] = metadata));

    test('leaves that session as it is', async () => {
      await using stub = await foreign();
      await expect(stub.backend.createSession(spec)).rejects.toMatchObject({ code: 'name_taken' });
      await expect(stub.backend.ensureSession(spec)).rejects.toMatchObject({ code: 'name_taken' });
      expect(asked(stub.requests)).toEqual(['POST /api/sessions', `GET ${path}`, `GET ${path}`]);
    });

    test('makes it ours when the operator has said so', async () => {
      await using stub = await foreign();
      expect(await stub.backend.createSession({ ...spec, adopts: true })).toMatchObject({ status: 'STARTING' });
      const put = stub.requests.find(({ method }) => method === 'PUT');
      expect(put).toMatchObject({ path, body: { config: { metadata: { ...metadata, sessionId: 'ses_ours' } } } });
    });
  });

  test('another refusal is an error without the words of the backend', async () => {
    await using stub = await startStub(() => ({ status: 422, json: { message: "WAHA Core supports only 'default'" } }));
    const failure = stub.backend.createSession(spec);
    await expect(failure).rejects.toMatchObject({ code: 'backend_error' });
    await expect(failure).rejects.not.toMatchObject({ message: expect.stringContaining('Core') });
  });
});

describe('the life of a session', () => {
  test('getSession reads whose it is, status, account and platform, and null where there is none', async () => {
    await using stub = await startStub(({ path: asks }) =>
      asks === path
        ? { json: session({ config: { metadata: { sessionId: spec.sessionId } } }) }
        : { status: 404, json: { message: 'Session not found' } },
    );
    expect(await stub.backend.getSession(spec.name)).toEqual({
      name: spec.name,
      sessionId: spec.sessionId,
      status: 'WORKING',
      me: { chatId: '15551230000@c.us', pushName: 'Test Account', lid: '99887766554433@lid' },
      platform: 'NOWEB',
      restriction: null,
      newChats: null,
    });
    expect(await stub.backend.getSession('unknown')).toBeNull();
  });

  test.each([
    [{ reachoutTimelock: { isActive: true, timeEnforcementEnds: 4_000_000_000 } }, 'reachout_timelock', 4_000_000_000],
    [{ reachoutTimelock: { isActive: true, timeEnforcementEnds: null } }, 'reachout_timelock', null],
    [{ messageCapping: { cappingStatus: 'CAPPED', cycleEnd: '4000000000' } }, 'message_capped', 4_000_000_000],
    [{ messageCapping: { cappingStatus: 'CAPPED', cycleEnd: 'some day' } }, 'message_capped', null],
    [{ reachoutTimelock: { isActive: true, timeEnforcementEnds: 1_000 } }, undefined, undefined],
    [{ reachoutTimelock: { isActive: false, timeEnforcementEnds: 4_000_000_000 } }, undefined, undefined],
    [{ reachoutTimelock: 'soon', messageCapping: { cappingStatus: 'SECOND_WARNING' } }, undefined, undefined],
  ])('what the network forbids the account is told: %j', async (facts, reason, untilUnix) => {
    const me = { id: '15551230000@c.us', ...facts };
    await using stub = await startStub(() => ({ json: session({ me }) }));
    const { restriction } = (await stub.backend.getSession(spec.name)) ?? {};
    expect(restriction?.reason).toBe(reason);
    expect(restriction && (restriction.until?.getTime() ?? null)).toEqual(
      untilUnix === undefined ? null : untilUnix && untilUnix * 1_000,
    );
    expect(await stub.backend.getRestriction(spec.name)).toEqual(restriction);
  });

  test.each([
    [{ cappingStatus: 'NONE', usedQuota: 0, totalQuota: 100, cycleEnd: null }, ['none', 0, 100, null]],
    [
      { cappingStatus: 'FIRST_WARNING', usedQuota: 80, totalQuota: 100, cycleEnd: 4_000_000_000 },
      ['first_warning', 80, 100, '2096-10-02T07:06:40.000Z'],
    ],
    [{ cappingStatus: 'SECOND_WARNING' }, ['second_warning', null, null, null]],
    [{ cappingStatus: 'CAPPED', usedQuota: 'all', cycleEnd: 'some day' }, ['capped', null, null, null]],
    [{ cappingStatus: 'THIRD_WARNING' }, null],
    [null, null],
  ])('the quota of new chats is told as far as it is known: %j', async (messageCapping, told) => {
    const me = { id: '15551230000@c.us', messageCapping };
    await using stub = await startStub(() => ({ json: session({ me }) }));
    const { newChats } = (await stub.backend.getSession(spec.name)) ?? {};
    expect(newChats && [newChats.step, newChats.used, newChats.total, newChats.until]).toEqual(told);
  });

  test('starting one that runs already is no error', async () => {
    await using stub = await startStub(({ method }) =>
      method === 'POST' ? { status: 422, json: { message: "Session 'x' is already started." } } : { json: session() },
    );
    expect(await stub.backend.startSession(spec.name)).toMatchObject({ status: 'WORKING' });
  });

  test('restart and logout go to the path of the session, never to the routes that delete it', async () => {
    await using stub = await startStub(() => ({ status: 201, json: session({ status: 'STARTING' }) }));
    await stub.backend.restartSession(spec.name);
    await stub.backend.logoutSession(spec.name);
    expect(asked(stub.requests)).toEqual([`POST ${path}/restart`, `POST ${path}/logout`]);
  });

  test('lifecycle calls on an unknown session say so', async () => {
    await using stub = await startStub(() => ({ status: 404, json: { message: 'Session not found' } }));
    await expect(stub.backend.startSession('x')).rejects.toMatchObject({ code: 'not_found' });
    await expect(stub.backend.restartSession('x')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('deleting twice is no error, with a body or without', async () => {
    await using stub = await startStub(({ path: asks }) => (asks === path ? {} : { status: 404, json: {} }));
    await stub.backend.deleteSession(spec.name);
    await stub.backend.deleteSession('gone');
  });

  test('getMe is null before login, both ways the backend says it', async () => {
    await using stub = await startStub(({ path: asks }) => {
      if (asks === '/api/sessions/in/me') return { json: me };
      return asks === '/api/sessions/off/me' ? { status: 404, json: { message: 'x' } } : { json: null };
    });
    expect(await stub.backend.getMe('in')).toMatchObject({ chatId: '15551230000@c.us' });
    expect(await stub.backend.getMe('off')).toBeNull();
    expect(await stub.backend.getMe('new')).toBeNull();
  });
});

describe('pairing', () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]);

  test('getQr asks for the picture with exactly its type', async () => {
    await using stub = await startStub(() => ({ raw: png }));
    expect(await stub.backend.getQr('s')).toEqual(png);
    expect(stub.requests[0]).toMatchObject({ path: '/api/s/auth/qr', headers: { accept: 'image/png' } });
  });

  test('getQrRaw reads the value behind the picture', async () => {
    await using stub = await startStub(() => ({ json: { value: '2@abc' } }));
    expect(await stub.backend.getQrRaw('s')).toBe('2@abc');
    expect(stub.requests[0]?.query).toEqual({ format: 'raw' });
  });

  test('a session that does not ask to be scanned is not ready', async () => {
    const json = { error: 'Session status is not as expected.', status: 'WORKING', expected: ['SCAN_QR_CODE'] };
    await using stub = await startStub(() => ({ status: 422, json }));
    await expect(stub.backend.getQr('s')).rejects.toMatchObject({ code: 'session_not_ready' });
    await expect(stub.backend.getQrRaw('s')).rejects.toMatchObject({ code: 'session_not_ready' });
  });

  test('something that is no picture is not passed on', async () => {
    await using stub = await startStub(() => ({ raw: '<html>' }));
    await expect(stub.backend.getQr('s')).rejects.toMatchObject({ code: 'backend_error' });
  });
});
