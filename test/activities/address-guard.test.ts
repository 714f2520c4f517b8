import { describe, expect, it } from '@jest/globals';
import { createAddressGuard } from '../../activities/address-guard.ts';
import { createEgress } from '../../activities/egress.ts';

describe('the guard of tenant-chosen addresses', () => {
  const guard = createAddressGuard([]);

  it.each([
    '127.0.0.1',
    '127.1.2.3',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '168.63.129.16',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '198.18.0.1',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'ff02::1',
    '2001:db8::1',
    'not an address',
    '',
  ])('refuses %s', (address) => {
    expect(guard.allows(address)).toBe(false);
  });

  it.each(['93.184.216.34', '8.8.8.8', '2606:4700::1111'])('lets %s through', (address) => {
    expect(guard.allows(address)).toBe(true);
  });

  it('lets through what development allows, and nothing beside it', () => {
    const local = createAddressGuard(['127.0.0.0/8', '::1/128']);
    expect(['127.0.0.1', '::1', '::ffff:127.0.0.1'].map((address) => local.allows(address))).toEqual([
      true,
      true,
      true,
    ]);
    expect(['10.0.0.1', 'fe80::1'].map((address) => local.allows(address))).toEqual([false, false]);
  });

  const egress = createEgress({ allow: [], userAgent: 'test' });

  it.each([
    'http://127.0.0.1:9/',
    'http://127.1:9/',
    'http://2130706433:9/',
    'http://0x7f000001:9/',
    'http://0177.0.0.1:9/',
    'http://0:9/',
    'http://localhost:9/',
    'http://LOCALHOST:9/',
    'http://[::1]:9/',
    'http://[::ffff:127.0.0.1]:9/',
    'http://[0:0:0:0:0:ffff:7f00:1]:9/',
    'http://①②⑦.⓪.⓪.①:9/',
  ])('a webhook to %s is refused without a connection', async (url) => {
    await expect(egress.post({ url, headers: {}, body: '{}', timeoutMs: 2_000 })).rejects.toMatchObject({
      code: 'BLOCKED_ADDRESS',
    });
  });
});
