import type { Document } from './document.ts';

export interface Asked {
  url: string;
  apiKey: string;
  document: Document;
}

export interface Told {
  status: number;
  contentType: string;
  /** Parsed when it is JSON; undefined when it is not, or empty. */
  body: unknown;
  isEmpty: boolean;
}

export async function ask(
  { url, apiKey }: Asked,
  method: string,
  path: string,
  { body, headers }: { body?: object | undefined; headers?: Record<string, string> | undefined } = {},
): Promise<Told> {
  const response = await fetch(url + path, {
    method,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const contentType = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const text = await response.text();
  return {
    status: response.status,
    contentType,
    isEmpty: text === '',
    body: contentType === 'application/json' && text !== '' ? JSON.parse(text) : undefined,
  };
}
