import { t } from './words/t.ts';

const OF_THE_OPERATOR: Readonly<Record<string, string>> = { master: t('the master key'), psk: t('the pre-shared key') };

/** The engine's name for an unnamed actor with a key: it says less than the key does. */
const BY_A_KEY = 'api';

/** Whoever came by a link acts by the link's id. */
const BY_A_LINK = 'clk_';

interface Deed {
  actor: string | null;
  keyId: string | null;
}

/** Returns the actor: the given name, else the key, by its name if that is known. */
export const whoDid = ({ actor, keyId }: Deed, names: ReadonlyMap<string, string>): string => {
  if (actor !== null && actor !== '' && (actor !== BY_A_KEY || keyId === null)) return actor;
  if (keyId === null) return t('the engine');
  if (keyId.startsWith(BY_A_LINK)) return t('link {0}', keyId);
  const name = names.get(keyId);
  return OF_THE_OPERATOR[keyId] ?? (name === undefined ? t('key {0}', keyId) : t('key “{0}”', name));
};
