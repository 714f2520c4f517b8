import type { EncryptionKeyRotated, Engine } from '../../sdk/typescript/src/index.ts';

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
  say(`The secrets of ${resealed} endpoints were sealed anew.`);
  for (const id of unreadable) say(`Neither key opens the secret of ${id}: give it a new one.`);
  say(
    apiKeysLeft === 0
      ? 'All API keys are known by the new encryption key: ENGINE_ENCRYPTION_KEY_PREVIOUS may be taken away.'
      : `${apiKeysLeft} API keys were not used since. They end when ENGINE_ENCRYPTION_KEY_PREVIOUS is taken away.`,
  );
}
