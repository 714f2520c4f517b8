export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed JSON, or the text when the body is no JSON. */
  body: unknown;
}

export interface CallOptions {
  key?: string | undefined;
  body?: object | undefined;
  headers?: Record<string, string> | undefined;
  timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 30_000;

/** Makes one request to the engine, as any dashboard would. */
export async function call(base: string, method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const { key, body, headers, timeoutMs = TIMEOUT_MS } = options;
  const response = await fetch(base + path, {
    method,
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text };
}
