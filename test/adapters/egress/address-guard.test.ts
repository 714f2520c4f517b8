import { describe, expect, it } from '@jest/globals';
import { createAddressGuard } from '../../../adapters/egress/address-guard.ts';

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
});
