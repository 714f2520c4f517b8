import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isWeakSecret } from '../../../config/checks.ts';
import type { Config } from '../../../config/config.ts';
import { ok, problem, warning } from './finding.ts';
import type { Finding } from './finding.ts';

/** Each secret: its value in the configuration, and the file in which `npm start` keeps the one that it has made. */
const SECRETS = [
  ['ENGINE_API_KEY', 'engineApiKey', 'engine-api-key'],
  ['WORKFLOW_ENGINE_INTERNAL_PSK', 'workflowEngineInternalPsk', 'internal-psk'],
  ['ENGINE_ENCRYPTION_KEY', 'engineEncryptionKey', 'encryption-key'],
  ['BACKEND_WEBHOOK_SECRET', 'backendWebhookSecret', 'backend-webhook-secret'],
] as const;

/** The rights of a file that others than its owner have. */
const OF_OTHERS = 0o077;

interface Held {
  variable: string;
  value: string | null;
  /** The file that others may read; null where there is none. */
  openFile: string | null;
}

/** Says whether the secrets are there, strong, different and kept from others. It never shows one. */
export async function secretFindings(config: Config): Promise<Finding[]> {
  const held = await Promise.all(
    SECRETS.map(async ([variable, field, file]): Promise<Held> => {
      const path = join(config.dataDir, file);
      const isGiven = config[field] !== undefined;
      const value = config[field] ?? (await readFile(path, 'utf8').catch(() => null));
      const rights = isGiven
        ? 0
        : await stat(path).then(
            ({ mode }) => mode & OF_OTHERS,
            () => 0,
          );
      return { variable, value: value?.trim() ?? null, openFile: rights === 0 ? null : path };
    }),
  );
  return [judged(held, config), ...(await rotation(config))];
}

function judged(held: readonly Held[], { nodeEnv }: Config): Finding {
  const there = held.filter(({ value }) => value !== null);
  const todo = [
    ...there
      .filter(({ value }) => value !== null && isWeakSecret(value))
      .map(({ variable }) => `${variable} is weak: give it at least 32 random characters (openssl rand -base64 32).`),
    ...there
      .filter(({ value }, index) => there.findIndex((other) => other.value === value) < index)
      .map(({ variable }) => `${variable} has the value of another secret: who knows one must not know the other.`),
    ...held.flatMap(({ openFile }) => (openFile === null ? [] : [`Others may read ${openFile}: chmod 600 it.`])),
  ];
  const missing = held.length - there.length;
  const says = `${there.length} of ${held.length} are known here${missing > 0 ? '; npm start makes the others' : ''}`;
  if (nodeEnv === 'production' && missing > 0) {
    const names = held.filter(({ value }) => value === null).map(({ variable }) => variable);
    return problem('Secrets', says, `Set ${names.join(', ')}.`, ...todo);
  }
  return todo.length === 0 ? ok('Secrets', says) : problem('Secrets', says, ...todo);
}

/** Beside `npm start` the former key lies in a file, where the guide has it put. */
async function rotation({ engineEncryptionKeyPrevious, dataDir }: Config): Promise<Finding[]> {
  const isKept = await stat(join(dataDir, 'encryption-key.previous')).then(
    () => true,
    () => false,
  );
  if (engineEncryptionKeyPrevious === undefined && !isKept) return [];
  return [
    warning(
      'Rotation',
      'the former encryption key is still understood',
      'Run "./engine rotate-encryption-key"; a day after the change remove ENGINE_ENCRYPTION_KEY_PREVIOUS and the file encryption-key.previous (docs/operate/encryption-key.md).',
    ),
  ];
}
