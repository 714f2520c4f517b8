import { Readable } from 'node:stream';
import { KeyRefused } from './upstream.ts';
import type { Upstream, UpstreamRequest } from './upstream.ts';

/**
 * Makes a request once more whose key the backend does not know, with another one: a backend that came back with an
 * empty memory has forgotten the keys that it has made. It has done nothing for the first. A body that went on as it
 * came cannot go again, so such a request fails, and the next one has the other key.
 */
export function withRenewedKey(
  upstream: Pick<Upstream, 'stream' | 'fetch'>,
  /** Answers another key than the one that was refused, or null when there is none. */
  renew: () => Promise<string | null>,
): Pick<Upstream, 'stream' | 'fetch'> {
  async function tried<T>(request: UpstreamRequest, make: (request: UpstreamRequest) => Promise<T>): Promise<T> {
    try {
      return await make(request);
    } catch (error) {
      if (!(error instanceof KeyRefused && error.isUnknown) || request.body instanceof Readable) throw error;
      const key = await renew();
      if (key === null) throw error;
      return make({ ...request, headers: { ...request.headers, 'x-api-key': key } });
    }
  }

  return {
    stream: (request, response, opened) => tried(request, (each) => upstream.stream(each, response, opened)),
    fetch: (request) => tried(request, (each) => upstream.fetch(each)),
  };
}
