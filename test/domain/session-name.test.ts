import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { derivedSessionName, MAX_SESSION_NAME_LENGTH } from '../../domain/session-name.ts';

const WORD = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_'.split('');
const id = fc.array(fc.constantFrom(...WORD), { minLength: 1, maxLength: 64 }).map((letters) => letters.join(''));
/** Long ids that differ in few places, as those of one agency do. */
const alike = fc
  .tuple(fc.constantFrom('', 'a', 'agency-', 'tenant_'), fc.nat({ max: 50 }))
  .map(([start, n]) => `${start}${'0'.repeat(40)}${n}`);
const anyId = fc.oneof(id, alike);

describe('the name of a session at the backend', () => {
  it('says whose it is where it is short', () => {
    expect(derivedSessionName('acme', 'shop')).toBe('wa_agency_acme_tenant_shop');
    expect(derivedSessionName('acme', 'shop', '1a2b3c4d')).toBe('wa_agency_acme_tenant_shop_1a2b3c4d');
  });

  it('is the same in every release, also where it is cut', () => {
    const uuid = '018f3c1e-7a52-7c11-9b1c-2f4d6e8a0b13';
    expect(derivedSessionName(uuid, uuid)).toBe('wa_agency_018f3c1e-7a52-7c11-9b1c-2f4_6ae5377fe497a025');
  });

  it('is one that every backend takes, whatever the ids', () => {
    fc.assert(
      fc.property(anyId, anyId, fc.option(id, { nil: undefined }), (agencyId, tenantId, suffix) => {
        const name = derivedSessionName(agencyId, tenantId, suffix);
        expect(name.length).toBeLessThanOrEqual(MAX_SESSION_NAME_LENGTH);
        expect(name).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(derivedSessionName(agencyId, tenantId, suffix)).toBe(name);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is another for every other tenant, where it is cut', () => {
    const longId = anyId.filter((value) => value.length > 36);
    const pairs = fc.uniqueArray(fc.tuple(longId, longId), { selector: (pair) => pair.join('/'), maxLength: 200 });
    fc.assert(
      fc.property(pairs, (tenants) => {
        expect(new Set(tenants.map((tenant) => derivedSessionName(...tenant))).size).toBe(tenants.length);
      }),
      { numRuns: 50 },
    );
  });
});
