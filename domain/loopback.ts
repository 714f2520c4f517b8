const OF_IPV4 = 32;

/** Tells whether ranges such as `10.0.0.0/8, fd00::/8` hold an address of the machine itself, in any spelling. */
export function holdsLoopback(ranges: string): boolean {
  // The check of the setting itself refuses an address without a length.
  const whole = ranges.split(',').filter((range) => range.includes('/'));
  return whole.some((range) => LOOPBACK.some((own) => overlap(rangeBits(range), own)));
}

/** The leading bits that all addresses of a range share. */
function rangeBits(range: string): string {
  const [address = '', length = ''] = range.trim().split('/');
  const isOfIpv4 = !address.includes(':');
  // IPv4 is mapped into IPv6, so that one comparison sees both spellings.
  const shared = Number(length) + (isOfIpv4 ? MAPPED.length : 0);
  return (isOfIpv4 ? MAPPED + ipv4Bits(address) : ipv6Bits(address)).slice(0, shared);
}

function overlap(one: string, other: string): boolean {
  const shared = Math.min(one.length, other.length);
  return one.slice(0, shared) === other.slice(0, shared);
}

function ipv4Bits(address: string): string {
  return address
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('');
}

function ipv6Bits(address: string): string {
  const last = address.slice(address.lastIndexOf(':') + 1);
  const ofIpv4 = last.includes('.') ? ipv4Bits(last) : '';
  const groups = ofIpv4 === '' ? address : address.slice(0, -last.length).replace(/([^:]):$/, '$1');
  const [before = '', after] = groups.split('::');
  const [head, tail] = [groupBits(before), groupBits(after ?? '') + ofIpv4];
  return head + '0'.repeat(Math.max(0, 4 * OF_IPV4 - head.length - tail.length)) + tail;
}

function groupBits(groups: string): string {
  const written = groups.split(':').filter((group) => group !== '');
  return written.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('');
}

const MAPPED = '0'.repeat(80) + '1'.repeat(16);
const LOOPBACK = [rangeBits('127.0.0.0/8'), rangeBits('::1/128')];
