import type { IncomingHttpHeaders } from 'node:http';

/** The content of a login's cookie. */
export interface CookieParts {
  id: string;
  secret: string;
}

/** The browser's own, and that of a frame. */
const MAX_COOKIES = 2;

/**
 * Writes and reads the console's cookie. Browsers share cookies among the ports of a host, so its name has the port:
 * two engines on one machine do not log each other out.
 */
export function createLoginCookies(publicUrl: string) {
  const { protocol, port } = new URL(publicUrl);
  const isSecure = protocol === 'https:';
  const name = isSecure ? '__Host-engine_console' : `engine_console_${port || '80'}`;
  const written = (value: string, seconds: number, isEmbedded: boolean): string =>
    [
      `${name}=${value}`,
      'Path=/',
      `Max-Age=${seconds}`,
      'HttpOnly',
      // Browsers send no strict cookie in a frame of another site. A partitioned one is kept apart for that site.
      ...(isEmbedded
        ? ['SameSite=None', 'Secure', 'Partitioned']
        : ['SameSite=Strict', ...(isSecure ? ['Secure'] : [])]),
    ].join('; ');
  return {
    write: ({ id, secret }: CookieParts, seconds: number, isEmbedded: boolean): string =>
      written(`${id}.${secret}`, seconds, isEmbedded),
    end: (isEmbedded: boolean): string => written('', 0, isEmbedded),
    /**
     * The login's cookies, in the order of the request; an empty id is of none that the engine has written. A frame of
     * the same site sends its own and the browser's.
     */
    read(headers: IncomingHttpHeaders): CookieParts[] {
      const found: CookieParts[] = [];
      for (const pair of (headers.cookie ?? '').split(';')) {
        const [given = '', ...rest] = pair.trim().split('=');
        if (given !== name) continue;
        const [id = '', secret = ''] = rest.join('=').split('.');
        found.push({ id, secret });
      }
      return found.slice(0, MAX_COOKIES);
    },
  };
}
