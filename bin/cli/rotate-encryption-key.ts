import type { EncryptionKeyRotated, Engine } from '../../packages/typescript/src/index.ts';
import { plural } from './plural.ts';

/** Supervisors look at all sessions within that day, and links to files that were given out end. */
const REMOVE = 'Remove ENGINE_ENCRYPTION_KEY_PREVIOUS a day after the change of the key.';

/** Has everything that the previous encryption key has sealed sealed anew, batch by batch. */
export async function rotateEncryptionKey(client: Engine, say: (line: string) => void): Promise<void> {
  let after: string | null = null;
  let resealed = 0;
  const unreadable: string[] = [];
  let apiKeysLeft: number;
  do {
    const done: EncryptionKeyRotated = await client.encryptionKey.rotate({ after: after ?? undefined });
    resealed += done.resealed;
    unreadable.push(...done.unreadable);
    apiKeysLeft = done.apiKeysLeft;
    after = done.last;
  } while (after !== null);
  say(`${plural(resealed, 'secret')} re-encrypted with the new key.`);
  for (const id of unreadable) say(`Neither key opens the secret of ${id}: give it a new one.`);
  say(
    apiKeysLeft === 0
      ? `All API keys use the new key. ${REMOVE}`
      : `${plural(apiKeysLeft, 'API key')} not used since the change. They end without the previous key: replace them first. ${REMOVE}`,
  );
}
