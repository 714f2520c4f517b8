import type { IncomingMessage } from 'node:http';

const TIMEOUT_MS = 30_000;

/** Nothing answers at the address, or not in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export interface JsonAnswer {
  ok: boolean;
  status: number;
  /** Undefined when the body is not JSON. */
  body: unknown;
}

interface Ask {
  method?: string;
  headers?: Record<string, string>;
  body?: object | undefined;
  timeoutMs?: number;
}

/**
 * Asks without the client library: the sandbox, whether a process lives, and what `engine env` asks in each new
 * terminal. It does without fetch, too, which costs twice the processor time of node:http in a short process.
 */
export async function askJson(
  url: string,
  { method = 'GET', headers, body, timeoutMs = TIMEOUT_MS }: Ask = {},
): Promise<JsonAnswer> {
  const content = body === undefined ? undefined : JSON.stringify(body);
  const length = content === undefined ? {} : { 'content-type': 'application/json' };
  try {
    const { request } = new URL(url).protocol === 'https:' ? await import('node:https') : await import('node:http');
    return await new Promise((resolve, reject) => {
      const asked = request(url, {
        method,
        headers: { ...headers, ...length },
        signal: AbortSignal.timeout(timeoutMs),
        agent: false,
      });
      asked.once('error', reject).once('response', (response) => {
        collect(response).then((text) => resolve(answerOf(response.statusCode ?? 0, text)), reject);
      });
      asked.end(content);
    });
  } catch (cause) {
    throw new NoAnswer(`${new URL(url).origin} does not answer.`, { cause });
  }
}

async function collect(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return text;
}

function answerOf(status: number, text: string): JsonAnswer {
  return { ok: status >= 200 && status < 300, status, body: readJson(text) };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
