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

/** Asks what is no part of the engine's API: the sandbox, and whether a process lives. */
export async function askJson(
  url: string,
  { method = 'GET', headers, body, timeoutMs = TIMEOUT_MS }: Ask = {},
): Promise<JsonAnswer> {
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { ok: response.ok, status: response.status, body: readJson(text) };
  } catch (cause) {
    throw new NoAnswer(`${new URL(url).origin} does not answer.`, { cause });
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
