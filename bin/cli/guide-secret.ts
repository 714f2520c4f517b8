import type { Config } from '../../config/config.ts';
import { readOrCreateSecret } from '../../local/embedded/secret.ts';

const SECRET_BYTES = 32;

/**
 * The secret that the guides register their receiver with: `./engine env` exports it as SECRET, and the commands that
 * post to a receiver sign with it, so that the guides' receivers take both.
 */
export async function guideSecret({ dataDir }: Pick<Config, 'dataDir'>): Promise<string> {
  const kept = await readOrCreateSecret(dataDir, 'demo-webhook-secret', SECRET_BYTES);
  // Standard Webhooks libraries take secrets in this form.
  return `whsec_${Buffer.from(kept).toString('base64')}`;
}
