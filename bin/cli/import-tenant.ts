import { openArchive } from '../../activities/personal-data/archive-file.ts';
import { importTenant } from '../../activities/personal-data/import.ts';
import type { Config } from '../../config/config.ts';
import { connectDatabase } from '../../db/connect.ts';
import { ImportRefused } from '../../domain/personal-data/archive.ts';
import { databaseUrls, openMediaStore } from '../compose.ts';
import { CommandError } from './command-error.ts';
import { readSecret } from './target.ts';

/**
 * Reads the file of an export into a tenant of the engine whose database and media store are configured here. It goes
 * past the API, because only an operator may write rows as another engine had them.
 */
export async function runImport(
  config: Config,
  { path, agencyId, tenantId }: { path: string; agencyId: string; tenantId: string },
  say: (line: string) => void,
): Promise<void> {
  if (config.databaseUrl === undefined) {
    throw new CommandError(
      `No engine runs on ${config.dataDir}, and DATABASE_URL is not set: start the engine with "npm start", or set DATA_DIR or DATABASE_URL.`,
    );
  }
  await using file = await openArchive(path).catch(() => {
    throw new CommandError(`There is no file ${path}.`);
  });
  const database = await connectDatabase({
    ...databaseUrls(config),
    encryptionKey: config.engineEncryptionKey ?? (await readSecret(config, 'encryption-key', 'ENGINE_ENCRYPTION_KEY')),
    webhooks: { publicUrl: config.publicUrl, timeoutMs: config.webhookTimeoutMs },
    poolSize: 2,
    applicationName: 'engine-import',
    onError: () => undefined,
  });
  try {
    const store = openMediaStore(config, database);
    const done = await importTenant({ database, store }, file, { agencyId, tenantId });
    for (const [what, count] of Object.entries(done.counts)) say(`${what}: ${count}`);
    say(`files: ${done.files}`);
    for (const [what, count] of Object.entries(done.leftOut)) say(`omitted from ${what}: ${count}`);
    say(
      `Imported into the tenant ${tenantId}. Its accounts are stopped: link each again, then switch on the agent and automations.`,
    );
  } catch (error) {
    if (error instanceof ImportRefused) throw new CommandError(`The import stopped. ${error.message}`);
    throw error;
  } finally {
    await database.close();
  }
}
