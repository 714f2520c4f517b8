import { request } from 'undici';
import type { MessageMedia } from '../state/message.ts';

export interface GivenMedia {
  mimetype: string;
  filename?: string | null | undefined;
  url?: string | undefined;
  data?: string | undefined;
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'audio/ogg': 'oga',
  'audio/mpeg': 'mp3',
  'video/mp4': 'mp4',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
};

export function mediaOf(fullId: string, given: GivenMedia): MessageMedia {
  const plain = given.mimetype.split(';')[0]?.trim() ?? given.mimetype;
  return {
    name: `${fullId}.${EXTENSIONS[plain] ?? 'bin'}`,
    mimetype: given.mimetype,
    filename: given.filename ?? null,
    data: given.data,
  };
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
const FETCH_TIMEOUT_MS = 30_000;

/**
 * Fetches the bytes of `file.url` as base64, from addresses of this machine only: a sandbox that fetches any address a
 * tenant names would be a security hole. A placeholder stands for any other file.
 */
export async function fetched(given: GivenMedia): Promise<GivenMedia> {
  if (given.data !== undefined || given.url === undefined) return given;
  if (!LOOPBACK.has(new URL(given.url).hostname)) return given;
  const answer = await request(given.url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
  if (answer.statusCode !== 200) {
    await answer.body.dump();
    throw new Error(`Request failed with status code ${answer.statusCode}`);
  }
  const bytes = await answer.body.arrayBuffer();
  return { ...given, data: Buffer.from(bytes).toString('base64') };
}
