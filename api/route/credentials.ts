import { hash, timingSafeEqual } from 'node:crypto';
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

/**
 * Makes the check whether a text is the secret. It compares digests, so that the time of a comparison tells neither the
 * length nor the content of the secret.
 */
export function secretCheck(secret: string | undefined): (given: string | undefined) => boolean {
  if (secret === undefined || secret === '') return () => false;
  const expected = hash('sha256', secret, 'buffer');
  return (given) => given !== undefined && timingSafeEqual(hash('sha256', given, 'buffer'), expected);
}
