import { describe, expect, it } from '@jest/globals';
import { createMediaLinks } from '../../db/conversations/media-links.ts';
import type { Database } from '../../db/engine/database.ts';
import { forgetBackendKey, keepBackendKey, readBackendKey } from '../../db/sessions/backend-key.ts';
import { readEngineStatus } from '../../db/operations/engine-status.ts';
import { findWorkingKeys, callerOf, countOutdatedKeys, renewDigest } from '../../db/tenants/find-caller.ts';
import { parseKey } from '../../db/tenants/api-key-format.ts';
import { makeApiKey } from '../../db/tenants/rotate-key.ts';
import { noteUnreadableSecrets } from '../../db/webhooks/endpoint-health.ts';
import { resealEndpoints } from '../../db/tenants/reseal.ts';
import { findEndpoint } from '../../db/webhooks/endpoint-view.ts';
import { openSigningSecrets, rotateSecrets } from '../../db/webhooks/endpoint-secrets.ts';
import { changeRows, findRows, json } from '../support/rows.ts';
import { ENCRYPTION_KEY } from '../support/keys.ts';
import { takeDatabase } from '../support/servers.ts';
import { SCOPE, aWorkingSession } from './a-database.ts';
import { databasesUnder } from './databases-under.ts';

const NEW_KEY = 'another-encryption-key-0123456789-0123456789';
const databaseUrl = await takeDatabase();

const open = databasesUnder(databaseUrl, 'encryption-key');

describe('an encryption key', () => {
  it('is replaced while what the former one has made is understood', async () => {
    const former = await open(ENCRYPTION_KEY);
    await aWorkingSession(former);
    const wanted = { kind: 'dashboard', agencyId: SCOPE.agencyId, tenantId: null, sessionId: null } as const;
    const key = { ...wanted, name: 'old', scopes: [], expiresAt: null, defaultRecipient: null };
    const { apiKey } = await former.transaction((tx) => makeApiKey(tx, key, { keyId: 'psk' }));
    const { id = '', secret = '' } = parseKey(apiKey) ?? {};
    await giveSecret(former, 'y'.repeat(40));
    const both = await open(NEW_KEY, ENCRYPTION_KEY);
    const alone = await open(NEW_KEY);
    const know = async (database: Database) =>
      callerOf(database.secrets, (await database.read((q) => findWorkingKeys(q, [id]))).get(id), secret);
    const signs = async (database: Database) =>
      openSigningSecrets(database.secrets, await theEndpoint(database), new Date());

    // Before anything is done: whoever has the former key reads all, whoever has the new one alone nothing.
    const secrets = ['y'.repeat(40), 'x'.repeat(40)];
    expect([await signs(former), await signs(both), await signs(alone)]).toEqual([secrets, secrets, null]);
    expect([await know(former), await know(both), await know(alone)]).toEqual([
      expect.objectContaining({ isOutdated: false }),
      expect.objectContaining({ isOutdated: true }),
      undefined,
    ]);

    // Sealed anew in batches, once.
    expect(await both.transaction((tx) => resealEndpoints(tx, null, 1))).toMatchObject({ resealed: 1, unreadable: [] });
    expect(await both.transaction((tx) => resealEndpoints(tx, null, 100))).toMatchObject({ resealed: 0, last: null });
    expect([await signs(both), await signs(alone)]).toEqual([secrets, secrets]);

    // A key is renewed at its use; the other one of the agency was not used.
    expect(await both.read(countOutdatedKeys)).toBe(2);
    await both.statement((tx) => renewDigest(tx, id, secret));
    expect(await both.read(countOutdatedKeys)).toBe(1);
    expect([await know(both), await know(alone)]).toEqual([
      expect.objectContaining({ isOutdated: false }),
      expect.objectContaining({ isOutdated: false }),
    ]);

    // The links of files go on as long as the former key is understood.
    const signature = createMediaLinks(former.secrets, '').urlOf('msg_1').split('/').at(-1) ?? '';
    const genuine = (database: Database) => createMediaLinks(database.secrets, '').isGenuine('msg_1', signature);
    expect([genuine(former), genuine(both), genuine(alone)]).toEqual([true, true, false]);
  });

  it('is replaced in the keys of the backend, too, when they are used', async () => {
    const [session] = await findRows(await open(NEW_KEY), 'session', {}, ['id']);
    const sessionId = session?.id ?? '';
    const made = { id: 'key_id_1', key: 'key_1' };
    const keep = (database: Database, key: typeof made, formerId: string | null) =>
      database.statement((tx) => keepBackendKey(tx, sessionId, { made: key, formerId }));
    const known = (database: Database) => database.read((q) => readBackendKey(q, sessionId));
    const [former, both, alone] = [
      await open(ENCRYPTION_KEY),
      await open(NEW_KEY, ENCRYPTION_KEY),
      await open(NEW_KEY),
    ];

    expect(await keep(former, made, null)).toBe(true);
    expect(await known(former)).toEqual({ ...made, isOutdated: false });
    expect(await known(both)).toEqual({ ...made, isOutdated: true });
    expect(await known(alone)).toEqual({ id: made.id, key: null, isOutdated: false });
    expect(await keep(both, made, made.id)).toBe(true);
    expect(await known(alone)).toEqual({ ...made, isOutdated: false });

    // One of two processes that have made a key is faster.
    const [one, other] = [
      { id: 'key_id_2', key: 'key_2' },
      { id: 'key_id_3', key: 'key_3' },
    ];
    expect([await keep(alone, one, made.id), await keep(both, other, made.id)]).toEqual([true, false]);
    expect(await known(both)).toEqual({ ...one, isOutdated: false });
    await alone.statement((tx) => forgetBackendKey(tx, sessionId, made.id));
    expect(await known(alone)).toMatchObject(one);
    await alone.statement((tx) => forgetBackendKey(tx, sessionId, one.id));
    expect(await known(alone)).toBeNull();
  });

  it('that no one has any more is named, with the endpoints whose secrets it had sealed', async () => {
    const lost = await open('a-key-that-is-lost-0123456789-0123456789', 'and-another-one-0123456789-0123456789');
    const [endpoint] = await findRows(lost, 'endpoint', {}, ['id']);
    expect(await lost.transaction((tx) => resealEndpoints(tx, null, 100))).toEqual({
      last: null,
      resealed: 0,
      unreadable: [endpoint?.id],
    });
  });

  it('that no one has any more lets an operator give an endpoint a new secret, which signs at once', async () => {
    const lost = await open('a-key-that-is-lost-0123456789-0123456789');
    expect(openSigningSecrets(lost.secrets, await theEndpoint(lost), new Date())).toBeNull();
    await giveSecret(lost, 'z'.repeat(40));
    expect(openSigningSecrets(lost.secrets, await theEndpoint(lost), new Date())).toEqual(['z'.repeat(40)]);
  });

  it('that is another one than before is told to the operator from the start of a process on, before an event fails', async () => {
    const lost = await open('a-key-that-is-lost-0123456789-0123456789');
    const right = await open(ENCRYPTION_KEY);
    await giveSecret(right, 'w'.repeat(40));
    const look = async (database: Database): Promise<unknown> => {
      const last = await database.transaction((tx) => noteUnreadableSecrets(tx, null, 100));
      expect(await database.transaction((tx) => noteUnreadableSecrets(tx, last, 100))).toBeNull();
      return readEngineStatus(databaseUrl);
    };
    expect(await look(right)).toMatchObject({ unreadableSecrets: 0 });
    expect(await look(lost)).toMatchObject({ failingEndpoints: 0, unreadableSecrets: 1 });
    // The right key is put back.
    expect(await look(right)).toMatchObject({ unreadableSecrets: 0 });
  });

  async function theEndpoint(database: Database) {
    const [found] = await findRows(database, 'endpoint', {}, ['id']);
    const endpoint = await database.read((q) => findEndpoint(q, SCOPE.agencyId, found?.id ?? ''));
    if (!endpoint) throw new Error('The endpoint is not there.');
    return endpoint;
  }

  /** The endpoint's secret is replaced, and the one before signs along. */
  async function giveSecret(database: Database, wanted: string): Promise<void> {
    const endpoint = await theEndpoint(database);
    const [now, until] = [new Date(), new Date(Date.now() + 3_600_000)];
    const old = rotateSecrets(database.secrets, endpoint, wanted, { until, now });
    const secret = database.secrets.seal(wanted, endpoint.id);
    await changeRows(database, 'endpoint', { secret, oldSecrets: json(old) });
  }
});
