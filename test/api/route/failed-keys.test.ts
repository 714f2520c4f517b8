import { describe, expect, it } from '@jest/globals';
import { createAccess } from '../../../api/route/auth.ts';
import { FailedKeys, networkOf } from '../../../api/route/failed-keys.ts';
import type { Identity } from '../../../api/route/caller.ts';
import { KEY_SCOPES } from '../../../domain/tenants/api-key.ts';

describe('failed authentications', () => {
  let nowMs = 0;
  const failedKeys = () => new FailedKeys(3, () => nowMs);
  let looks = 0;
  const identity = (familiar: readonly string[] = []): Identity => ({
    findCaller: async (apiKey) => {
      looks += 1;
      return apiKey === 'id1.right'
        ? { kind: 'dashboard', keyId: 'id1', agencyId: 'a', scopes: KEY_SCOPES }
        : undefined;
    },
    idOf: (apiKey) => (apiKey.includes('.') ? apiKey.split('.')[0] : undefined),
    isFamiliar: (keyId) => familiar.includes(keyId),
    tenantExists: async () => true,
    agencyStatus: async () => 'active',
    ownersOf: async () => [],
    onlyTenant: async () => undefined,
  });
  const secrets = { masterKey: 'master', internalPsk: 'psk' };
  const door = { auth: 'agency', scope: 'keys' } as const;
  const request = { method: 'GET', route: '/', params: {}, query: {} };
  const asking = (key: string, address = '192.0.2.1') => ({ ...request, headers: { 'x-api-key': key }, address });

  async function codeOf(answer: Promise<unknown>): Promise<unknown> {
    return answer.then(
      () => 'in',
      (error: unknown) => (error instanceof Error ? Reflect.get(error, 'code') : error),
    );
  }

  it('are refused with 429 after so many of an address, without a look, until a minute brings more', async () => {
    const access = createAccess(identity(), secrets, failedKeys());
    const knock = (address?: string) => codeOf(access.identify(door, asking(`id${looks + 5}.wrong`, address)));
    for (let i = 0; i < 3; i += 1) expect(await knock()).toBe('unauthorized');
    const before = looks;
    await expect(access.identify(door, asking('id9.wrong'))).rejects.toMatchObject({
      code: 'too_many_failed_keys',
      headers: { 'retry-after': '20' },
    });
    expect(looks).toBe(before);
    expect(await knock('192.0.2.2')).toBe('unauthorized');
    nowMs += 20_000;
    expect(await knock()).toBe('unauthorized');
    expect(await knock()).toBe('too_many_failed_keys');
  });

  it('do not lock out a key that was right lately, nor the secrets of the operator', async () => {
    const access = createAccess(identity(['id1']), secrets, failedKeys());
    for (let i = 0; i < 9; i += 1) await codeOf(access.identify(door, asking('id1.wrong')));
    expect(await codeOf(access.identify(door, asking('id1.wrong')))).toBe('too_many_failed_keys');
    expect(await codeOf(access.identify(door, asking('id1.right')))).toBe('in');
    expect(await codeOf(access.identify(door, asking('master')))).toBe('in');
  });

  it('of a key id count from all addresses together', async () => {
    const access = createAccess(identity(), secrets, failedKeys());
    const codes = [];
    for (let i = 0; i < 4; i += 1) {
      codes.push(await codeOf(access.identify(door, asking('id1.wrong', `192.0.2.${i}`))));
    }
    expect(codes).toEqual(['unauthorized', 'unauthorized', 'unauthorized', 'too_many_failed_keys']);
  });

  it('take no more memory than their bound, and forget whoever has been quiet longest', () => {
    const bound = failedKeys();
    for (let i = 0; i < 3; i += 1) bound.count('noisy');
    for (let i = 0; i < 9_999; i += 1) bound.count(`other ${i}`);
    expect(bound.waitMs('noisy')).toBeGreaterThan(0);
    bound.count('one more');
    expect(bound.waitMs('noisy')).toBe(0);
  });

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001::9', '2001:db8:1:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('of %s count for %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
