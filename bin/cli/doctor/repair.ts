import { connectDatabase } from '../../../db/connect.ts';
import { REPAIR_NAMES, runRepairs } from '../../../db/repairs/run.ts';
import { databaseUrls } from '../../compose.ts';
import { CommandError, UsageError } from '../command-error.ts';
import type { Home } from '../home.ts';
import { didYouMean } from '../near-word.ts';
import { readSecret } from '../target.ts';

/**
 * Lists what the faults of earlier releases left, and repairs it. It may run again. Names choose repairs; one that
 * deletes runs only when it is named.
 */
export async function repair(names: readonly string[], { config }: Home, say: (line: string) => void): Promise<void> {
  for (const name of names) {
    if (REPAIR_NAMES.includes(name)) continue;
    const near = didYouMean(name, REPAIR_NAMES);
    throw new UsageError(`There is no repair "${name}".${near} There are: ${REPAIR_NAMES.join(', ')}.`);
  }
  if (config.databaseUrl === undefined) {
    throw new CommandError(`No engine runs on ${config.dataDir}: start it, or set DATA_DIR or DATABASE_URL.`);
  }
  const database = await connectDatabase({
    ...databaseUrls(config),
    encryptionKey: config.engineEncryptionKey ?? (await readSecret(config, 'encryption-key', 'ENGINE_ENCRYPTION_KEY')),
    previousEncryptionKey: config.engineEncryptionKeyPrevious,
    webhooks: {
      publicUrl: config.publicUrl,
      mediaPublicUrl: config.mediaPublicUrl,
      timeoutMs: config.webhookTimeoutMs,
    },
    poolSize: 2,
    applicationName: 'engine-repair',
    onError: () => undefined,
  });
  try {
    const wrong = await runRepairs(database, names, say);
    say(wrong === 0 ? 'Nothing is left to repair.' : 'Done. Run it again to see what is left.');
  } finally {
    await database.close();
  }
}
