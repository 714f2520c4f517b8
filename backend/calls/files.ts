import { isSuccess } from '../http/answer.ts';
import type { Http } from '../http/http.ts';

export interface FileRequest {
  /** The file's address as a message names it. */
  url: string;
  maxBytes: number;
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * Reads files that people have sent. The backend keeps them for minutes only, so null, for whatever reason, is nothing unusual.
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

/** The backend may be told a wrong address of itself, and its key must not go anywhere else: only the path counts. */
function pathOf(url: string): string | null {
  return /\/api\/files\/.+$/.exec(URL.parse(url)?.pathname ?? '')?.[0] ?? null;
}
