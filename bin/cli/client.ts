import { Engine } from '../../sdk/typescript/src/index.ts';
import type { EngineError } from '../../sdk/typescript/src/index.ts';
import type { Target } from './target.ts';

/** A client for the agency and tenant that the target names. A command that fails says so at once. */
export function clientOf({ url, key, isPsk = false, agencyId, tenantId }: Target): Engine {
  return new Engine({ url, ...(isPsk ? { psk: key } : { key }), agencyId, tenantId, retries: 0 });
}

/** What a person is told of a call that has failed. */
export function sentenceOf({ code, status, detail, errors }: EngineError): string {
  if (code === 'unreachable' || code === 'timed_out') {
    return `${detail} Is it running? Start it with "npm start", or give its address with --url.`;
  }
  if (code === 'unexpected_answer') return `${detail} It is none, or a proxy before it has answered.`;
  const fields = errors.map(({ pointer, message }) => `\n  ${pointer} ${message}`).join('');
  return `The engine has answered ${status}: ${detail}${fields}`;
}
