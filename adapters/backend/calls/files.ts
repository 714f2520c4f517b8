import { isSuccess } from '../http/answer.ts';
import type { Http } from '../http/http.ts';
import { refused, unreachable } from '../http/refusal.ts';
import type { Spool } from '../../spool.ts';

export interface FileRequest {
  /** The file's address, as the message gives it. */
  url: string;
  maxBytes: number;
  timeoutMs: number;
  signal: AbortSignal;
}

/** A file that stops coming for so long is given up. */
const IDLE_MS = 60_000;

/** `elsewhere` is an address that is not the backend's own: its key must not go to another host. */
export type FileAnswer = 'done' | 'gone' | 'too_large' | 'elsewhere';

/** The statuses of a file that the backend has deleted, or whose address has expired. */
const GONE = new Set([400, 403, 404, 410]);

/** Reads files that contacts have sent. The backend keeps a file for minutes only. */
export function createFileCalls(http: Http) {
  /** Answers the whole file in memory. A null is nothing unusual, so its reason does not matter. */
  async function getFile({ url, maxBytes, timeoutMs, signal }: FileRequest): Promise<Buffer | null> {
    const path = pathOf(url);
    if (path === null) return null;
    const result = await http.call({ method: 'GET', path, accept: '*/*', maxBytes, timeoutMs, signal });
    return result.kind === 'answer' && isSuccess(result) ? result.body : null;
  }

  /** Writes the file into a spool, piece by piece. Throws when the backend cannot be reached or has trouble. */
  async function loadFile(
    { url, maxBytes, timeoutMs, idleMs = IDLE_MS, signal }: FileRequest & { idleMs?: number },
    spool: Spool,
  ): Promise<FileAnswer> {
    const doing = 'give a file';
    const path = pathOf(url);
    if (path === null) return 'elsewhere';
    let ownTrouble: unknown = null;
    const into = async (chunk: Buffer): Promise<void> => {
      try {
        await spool.add(chunk);
      } catch (error) {
        ownTrouble = error;
        throw error;
      }
    };
    const result = await http.call({ method: 'GET', path, accept: '*/*', maxBytes, timeoutMs, idleMs, signal, into });
    if (ownTrouble !== null) throw ownTrouble;
    if (result.kind === 'failure') {
      if (result.cause === 'answer_too_long') return 'too_large';
      throw unreachable(result, doing);
    }
    if (isSuccess(result)) return 'done';
    if (GONE.has(result.status)) return 'gone';
    throw refused(result, doing);
  }

  return { getFile, loadFile };
}

/**
 * Takes only the path of a file's address: the backend may be configured with a wrong address of itself, and its key
 * must not go to another host.
 */
function pathOf(url: string): string | null {
  return /\/api\/files\/.+$/.exec(URL.parse(url)?.pathname ?? '')?.[0] ?? null;
}
