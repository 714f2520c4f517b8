import type { Logger } from '../api/wire/logger.ts';
import type { Config } from '../config/config.ts';

const TODO = 'Serve files from another host: set MEDIA_PUBLIC_URL to a host name that routes /media/ to the API.';

/**
 * Says what to do if strangers' files come from the origin of the console and the API; null where they do not. With a
 * host of their own, a file that a browser runs in spite of its type reaches no login.
 */
export function sharedMediaHost({
  publicUrl,
  mediaPublicUrl,
}: Pick<Config, 'publicUrl' | 'mediaPublicUrl'>): string | null {
  if (mediaPublicUrl !== undefined && new URL(mediaPublicUrl).hostname !== new URL(publicUrl).hostname) return null;
  return TODO;
}

/** Files of a trial on one machine are the developer's own. */
export function warnOfMediaHost(config: Config, log: Logger): void {
  const todo = config.nodeEnv === 'production' ? sharedMediaHost(config) : null;
  if (todo !== null) log.warn({}, `files of contacts share a host with the console and the API. ${todo}`);
}
