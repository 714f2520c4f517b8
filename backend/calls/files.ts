import { isSuccess } from '../http/answer.ts';
import type { Http } from '../http/http.ts';

export interface FileRequest {
  /** The file's address, as the message gives it. */
  url: string;
  maxBytes: number;
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * Reads files that contacts have sent. The backend keeps a file for minutes only, so a null is nothing unusual, and its
 * reason does not matter.
 */
export function createFileCalls(http: Http) {
  async function getFile({ url, maxBytes, timeoutMs, signal }: FileRequest): Promise<Buffer | null> {
    const path = pathOf(url);
    if (path === null) return null;
    const result = await http.call({ method: 'GET', path, accept: '*/*', maxBytes, timeoutMs, signal });
    return result.kind === 'answer' && isSuccess(result) ? result.body : null;
  }

  return { getFile };
}

/**
 * Takes only the path of a file's address: the backend may be configured with a wrong address of itself, and its key
 * must not go to another host.
 */
function pathOf(url: string): string | null {
  return /\/api\/files\/.+$/.exec(URL.parse(url)?.pathname ?? '')?.[0] ?? null;
}
