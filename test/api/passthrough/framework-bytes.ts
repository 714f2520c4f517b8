import { OWN_KEY, VICTIM } from './framework-sockets.ts';

const HEAD = ['Host: a', `X-API-Key: ${OWN_KEY}`];
export const JSON_TYPE = 'Content-Type: application/json';
/** A request that must never be read as one of its own. */
export const SMUGGLED = `GET /api/${VICTIM}/chats HTTP/1.1\r\nHost: a\r\nX-API-Key: ${OWN_KEY}\r\n\r\n`;
/** A body of `post`, its length and the same in chunks. */
export const BODY = '{"chatId":"1@c.us"}';
export const LENGTH = `Content-Length: ${BODY.length}`;
export const CHUNK = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

/** A request by hand; lines are ended as HTTP wants it. */
export const written = (line: string, headers: readonly string[] = [], body = ''): string =>
  [line, ...HEAD, ...headers, '', body].join('\r\n');
export const get = (target: string, ...headers: string[]): string => written(`GET ${target} HTTP/1.1`, headers);
export const post = (headers: readonly string[], body: string): string =>
  written('POST /api/startTyping HTTP/1.1', [JSON_TYPE, ...headers], body);
export const CHATS = '/api/default/chats';
