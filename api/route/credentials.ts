import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { EngineError } from '../../domain/error.ts';

/**
 * Reads the client's key; undefined when the client sent none. Node joins a repeated header with a comma, which no key
 * contains.
 */
export function apiKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const given = [headers['x-api-key'], headers['api-key']].flat().filter((key) => key !== undefined && key !== '');
  const [key] = given;
  if (key?.includes(',') || given.some((other) => other !== key)) {
    throw new EngineError('ambiguous_credentials', 'Send one X-API-Key header with one key.');
  }
  return key;
}

/** Reads the secret of `Authorization: PSK <secret>`. */
export function pskOf(headers: IncomingHttpHeaders): string | undefined {
  return /^PSK ([\x21-\x7e]+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** Compares digests, so that the time of a comparison tells neither the length nor the content of the secret. */
export function isSecret(given: string | undefined, secret: string | undefined): boolean {
  if (given === undefined || secret === undefined || secret === '') return false;
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
