import { EncryptionKeyRotated } from '../../domain/tenants/encryption-key.ts';
import type { EngineClient } from './engine-client.ts';

const PATH = '/v1/internal/encryption-key/rotate';

/** Has everything that the previous encryption key has sealed sealed anew, batch by batch. */
export async function rotateEncryptionKey(client: EngineClient, say: (line: string) => void): Promise<void> {
  let after: string | null = null;
  let resealed = 0;
  const unreadable: string[] = [];
  let apiKeysLeft: number;
  do {
    const done: EncryptionKeyRotated = await client.post(PATH, after === null ? {} : { after }, EncryptionKeyRotated);
    resealed += done.resealed;
    unreadable.push(...done.unreadable);
    apiKeysLeft = done.apiKeysLeft;
    after = done.last;
  } while (after !== null);
  say(`The secrets of ${resealed} endpoints were sealed anew.`);
  for (const id of unreadable) say(`Neither key opens the secret of ${id}: give it a new one.`);
  say(
    apiKeysLeft === 0
      ? 'All API keys are known by the new encryption key: ENGINE_ENCRYPTION_KEY_PREVIOUS may be taken away.'
      : `${apiKeysLeft} API keys were not used since. They end when ENGINE_ENCRYPTION_KEY_PREVIOUS is taken away.`,
  );
}
