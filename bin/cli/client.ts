import type { Engine } from '../../packages/typescript/src/index.ts';
import type { Target } from './target.ts';

// The client is loaded by the first call, because most errors and some commands come without one.
const sdk = () => import('../../packages/typescript/src/index.ts');

/** A client for the agency and tenant that the target names. A command that fails says so at once. */
export async function clientOf({ url, key, isPsk = false, agencyId, tenantId }: Target): Promise<Engine> {
  const { Engine } = await sdk();
  return new Engine({ url, ...(isPsk ? { psk: key } : { key }), agencyId, tenantId, retries: 0 });
}

/** Says why a call of the engine has failed; null for an error that is none of its answers. */
export async function sentenceOf(error: unknown): Promise<string | null> {
  const { EngineError } = await sdk();
  if (!(error instanceof EngineError)) return null;
  const { code, status, detail, errors } = error;
  if (code === 'unreachable' || code === 'timed_out') {
    return `${detail} Is it running? Start it with "npm start", or give its address with --url.`;
  }
  if (code === 'unexpected_answer') return `${detail} It is none, or a proxy before it has answered.`;
  const fields = errors.map(({ pointer, message }) => `\n  ${pointer} ${message}`).join('');
  return `The engine has answered ${status}: ${detail}${fields}`;
}
