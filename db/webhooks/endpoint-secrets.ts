import { z } from 'zod';
import { MAX_HEADERS, MAX_OLD_SECRETS } from '../../domain/webhooks/endpoint.ts';
import type { SecretBox } from '../engine/secret-box.ts';

/** An earlier secret that still signs until a time; `sealed` is base64. */
export const OldSecret = z.object({ sealed: z.string(), until: z.string() });
export type OldSecret = z.output<typeof OldSecret>;

interface Sealed {
  id: string;
  secret: Buffer;
  oldSecrets: readonly OldSecret[];
}

const Headers = z.record(z.string(), z.string());

export function sealSecret(box: SecretBox, endpointId: string, secret: string): Buffer {
  return box.seal(secret, endpointId);
}

/**
 * Opens all secrets with which an attempt is signed now, the current one first. Null when the engine's key has changed
 * since they were sealed; the key may come back.
 */
export function openSigningSecrets(box: SecretBox, endpoint: Sealed, now: Date): string[] | null {
  try {
    const sealed = [endpoint.secret, ...stillValid(endpoint.oldSecrets, now).map((old) => bytesOf(old))];
    return sealed.map((each) => box.open(each, endpoint.id));
  } catch {
    return null;
  }
}

/**
 * Returns the old secrets of an endpoint whose current secret is being replaced; the current one joins them and signs
 * until `until`. Null when `secret` is the current secret already, so that a repeated request does not push an old
 * secret out. One that the engine's key does not open is left out: nothing could be signed while it were kept.
 */
export function rotateSecrets(
  box: SecretBox,
  endpoint: Sealed,
  secret: string,
  { until, now }: { until: Date; now: Date },
): OldSecret[] | null {
  if (opened(box, endpoint.id, endpoint.secret) === secret) return null;
  const current = { sealed: endpoint.secret.toString('base64'), until: until.toISOString() };
  return stillValid([current, ...endpoint.oldSecrets], now)
    .filter((old) => {
      const text = opened(box, endpoint.id, bytesOf(old));
      return text !== null && text !== secret;
    })
    .slice(0, MAX_OLD_SECRETS);
}

/** Opens a sealed secret; null when it was sealed with another key. */
function opened(box: SecretBox, endpointId: string, sealed: Buffer): string | null {
  try {
    return box.open(sealed, endpointId);
  } catch {
    return null;
  }
}

/** Seals the headers like the secret, because their values may be credentials. */
export function sealHeaders(box: SecretBox, endpointId: string, headers: Record<string, string> | null): Buffer | null {
  return headers === null ? null : box.seal(JSON.stringify(headers), endpointId);
}

export function openHeaders(box: SecretBox, endpointId: string, sealed: Buffer | null): Record<string, string> {
  return sealed === null ? {} : Headers.parse(JSON.parse(box.open(sealed, endpointId)));
}

type MergedHeaders = { outcome: 'merged'; sealed: Buffer | null } | { outcome: 'too_many' | 'unreadable' };

/**
 * Merges a change into an endpoint's headers; a header that is null is removed, and null instead of headers removes
 * all. Headers that cannot be read cannot be changed, because they would be lost.
 */
export function mergeHeaders(
  box: SecretBox,
  { id, headers }: { id: string; headers: Buffer | null },
  change: Record<string, string | null> | null,
): MergedHeaders {
  if (change === null) return { outcome: 'merged', sealed: null };
  const known = readHeaders(box, id, headers);
  if (known === null) return { outcome: 'unreadable' };
  const byName = new Map(Object.entries(known).map(([name, value]) => [name.toLowerCase(), { name, value }]));
  for (const [name, value] of Object.entries(change)) {
    if (value === null) byName.delete(name.toLowerCase());
    else byName.set(name.toLowerCase(), { name, value });
  }
  if (byName.size > MAX_HEADERS) return { outcome: 'too_many' };
  const merged = Object.fromEntries([...byName.values()].map(({ name, value }) => [name, value]));
  return { outcome: 'merged', sealed: sealHeaders(box, id, byName.size === 0 ? null : merged) };
}

function readHeaders(box: SecretBox, id: string, sealed: Buffer | null): Record<string, string> | null {
  try {
    return openHeaders(box, id, sealed);
  } catch {
    return null;
  }
}

function stillValid(old: readonly OldSecret[], now: Date): OldSecret[] {
  return old.filter(({ until }) => Date.parse(until) > now.getTime());
}

function bytesOf({ sealed }: OldSecret): Buffer {
  return Buffer.from(sealed, 'base64');
}
