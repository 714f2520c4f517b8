import { call } from '../../support/client.ts';
import type { Answer } from '../../support/client.ts';

/** The headers of the console's own page. */
export const OWN = { 'sec-fetch-site': 'same-origin', 'x-requested-with': 'engine-console' };

/** A browser that shows the console: it keeps the cookie, and says where its requests come from. */
export class Browser {
  readonly #api: { url: string };
  cookie = '';

  constructor(api: { url: string }) {
    this.#api = api;
  }

  async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await call(this.#api, method, path, {
      ...(body === undefined ? {} : { body }),
      headers: { ...OWN, ...(this.cookie === '' ? {} : { cookie: this.cookie }), ...headers },
    });
    const [cookie] = (answer.headers.get('set-cookie') ?? '').split(';');
    if (cookie) this.cookie = cookie.endsWith('=') ? '' : cookie;
    return answer;
  }

  /** As a page of another origin makes it: with the cookie, and without the header that only the console sends. */
  async askFromElsewhere(method: string, path: string, headers: Record<string, string>): Promise<Answer> {
    return call(this.#api, method, path, { headers: { cookie: this.cookie, ...headers } });
  }

  login(apiKey: string): Promise<Answer> {
    return this.ask('POST', '/console/session', { apiKey });
  }
}
