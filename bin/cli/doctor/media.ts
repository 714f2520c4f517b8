import type { Config } from '../../../config/config.ts';
import { sharedMediaHost } from '../../media-host.ts';
import { ok, warning } from './finding.ts';
import type { Finding } from './finding.ts';

/** Says in production whether files of strangers have a host of their own. */
export function mediaFindings(config: Config): Finding[] {
  if (config.nodeEnv !== 'production') return [];
  const todo = sharedMediaHost(config);
  if (todo !== null)
    return [warning('Media host', 'files of strangers have the host of the console and the API', todo)];
  return [ok('Media host', `files come from ${new URL(config.mediaPublicUrl ?? config.publicUrl).host}`)];
}
