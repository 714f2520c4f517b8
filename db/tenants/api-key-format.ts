import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyKind } from '../../domain/tenants/api-key.ts';

/**
 * A key reads `mae_<kind>_<keyId>_<secret><checksum>`. The id is public and indexed, and the secret has 256 random
 * bits. By the checksum a scanner or the API refuses a mistyped key without looking it up.
 */
const PREFIX = 'mae';
const KIND_CODES = { session: 'sk', dashboard: 'dk' } as const satisfies Record<KeyKind, string>;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 12;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(
  `^(${PREFIX}_(sk|dk)_([0-9A-Za-z]{${ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}}))([0-9A-Za-z]{6})$`,
);

export function createKey(kind: KeyKind): { id: string; secret: string; apiKey: string; hint: string } {
  const id = randomBase62(ID_LENGTH);
  const secret = randomBase62(SECRET_LENGTH);
  const start = `${PREFIX}_${KIND_CODES[kind]}_${id}`;
  const body = `${start}_${secret}`;
  return { id, secret, apiKey: body + checksum(body), hint: `${start}_${secret.slice(0, 4)}` };
}

/** Splits a key; undefined when the text cannot be one of our keys. */
export function parseKey(apiKey: string): { id: string; secret: string } | undefined {
  const match = FORM.exec(apiKey);
  const [, body, , id, secret, sum] = match ?? [];
  if (body === undefined || id === undefined || secret === undefined || sum !== checksum(body)) return undefined;
  return { id, secret };
}

function checksum(text: string): string {
  let rest = crc32(text);
  let out = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    out = BASE62.charAt(rest % 62) + out;
    rest = Math.floor(rest / 62);
  }
  return out;
}

function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(62))).join('');
}
