import { Engine } from '../../packages/typescript/src/index.ts';
import type { EngineOptions } from '../../packages/typescript/src/index.ts';
import { toldOf } from './stage.ts';
import type { Stage } from './stage.ts';

/** A key may ask too much while somebody else uses it. */
const RETRIES = 10;

type As = Pick<EngineOptions, 'key' | 'psk' | 'agencyId' | 'tenantId'>;

/** The client of any dashboard, for repeated looks, which nobody wants to see. */
export function quietClient({ target }: Stage, as: As): Engine {
  return new Engine({ ...as, url: target.url, retries: RETRIES });
}

/** The same, with each of its calls on the screen. */
export function shownClient({ target, terminal }: Stage, as: As): Engine {
  const show: typeof globalThis.fetch = async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const body = typeof init?.body === 'string' ? ` ${init.body}` : '';
    terminal.detail(`→ ${init?.method ?? 'GET'} ${pathname}${search}${body}`);
    const response = await fetch(input, init);
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    terminal.detail(`← ${response.status} ${isJson ? toldOf(await response.clone().json()) : ''}`);
    return response;
  };
  return new Engine({ ...as, url: target.url, retries: RETRIES, fetch: show });
}
