interface Asked {
  url: string;
  baseURL?: string;
  headers?: object;
}

/**
 * Adds the key to a request of the engine. A node for any HTTP request may take the credential, too: a request to
 * another address would give the key away, so it is refused.
 */
export function withKey<Request extends Asked>(
  { url: engine, apiKey }: { url: string; apiKey: string },
  request: Request,
): Request & { headers: { 'X-API-Key': string } } {
  const own = new URL(engine).origin;
  if (originOf(request, own) !== own) throw new Error(`This credential sends its key only to ${own}.`);
  return { ...request, headers: { ...request.headers, 'X-API-Key': apiKey } };
}

/** Null where the address is none. */
function originOf({ url, baseURL }: Asked, own: string): string | null {
  // An expression that n8n has not evaluated is that of the credential's own test.
  const base = baseURL === undefined || baseURL.startsWith('=') ? own : baseURL;
  return URL.canParse(url, base) ? new URL(url, base).origin : null;
}
