import type { LookupAddress, LookupOptions } from 'node:dns';
import ipaddr from 'ipaddr.js';
import { createNameServer } from './name-server.ts';
import type { Resolver } from './name-server.ts';

/**
 * These ranges count as public but lead to no public host: a cloud's host agent, and IPv6 space that nobody was given.
 */
const DENIED = ['168.63.129.16/32', '100:0:0:1::/64'];
const GLOBAL_IPV6 = '2000::/3';

export class BlockedAddressError extends Error {
  readonly code = 'BLOCKED_ADDRESS';
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/**
 * Decides to which addresses a tenant's URL may lead: public unicast, and the ranges that development allows
 * explicitly.
 */
export function createAddressGuard(allow: readonly string[], resolve: Resolver = createNameServer()) {
  const allowed = allow.map((range) => ipaddr.parseCIDR(range));
  const denied = DENIED.map((range) => ipaddr.parseCIDR(range));
  const globalIpv6 = ipaddr.parseCIDR(GLOBAL_IPV6);

  /** Tells whether the address is allowed although it may be private. */
  function isException(literal: string): boolean {
    if (!ipaddr.isValid(literal)) return false;
    // An IPv4 address that is written as IPv6 is judged as the IPv4 address.
    const address = ipaddr.process(literal);
    return allowed.some((range) => contains(range, address));
  }

  function allows(literal: string): boolean {
    if (!ipaddr.isValid(literal)) return false;
    if (isException(literal)) return true;
    const address = ipaddr.process(literal);
    if (address.range() !== 'unicast' || denied.some((range) => contains(range, address))) return false;
    return address.kind() === 'ipv4' || contains(globalIpv6, address);
  }

  /** Refuses a name if one of its addresses is private, because the connection may use any of them. */
  function lookup(hostname: string, options: LookupOptions, callback: LookupCallback): void {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) callback(error, '');
      else if (addresses.length === 0 || !addresses.every(({ address }) => allows(address))) callback(refusal(), '');
      else if (options.all) callback(null, addresses);
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4);
    });
  }

  return { allows, isException, lookup, refusal };
}

/** The message does not name the address, because the tenant would learn what a name means inside our network. */
function refusal(): BlockedAddressError {
  return new BlockedAddressError('The address is not a public one.');
}

function contains(range: [ipaddr.IPv4 | ipaddr.IPv6, number], address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return range[0].kind() === address.kind() && address.match(range);
}
