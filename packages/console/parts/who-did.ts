const OF_THE_OPERATOR: Readonly<Record<string, string>> = { master: 'the master key', psk: 'the pre-shared key' };

/** What the engine writes where a key has asked and nobody has given a name: it says less than the key does. */
const BY_A_KEY = 'api';

/** Whoever came by a link acts by the link's id. */
const BY_A_LINK = 'clk_';

interface Deed {
  actor: string | null;
  keyId: string | null;
}

/** Who did it: the name that was given, else the key, by its name where that is known. */
export const whoDid = ({ actor, keyId }: Deed, names: ReadonlyMap<string, string>): string => {
  if (actor !== null && actor !== '' && (actor !== BY_A_KEY || keyId === null)) return actor;
  if (keyId === null) return 'the engine';
  if (keyId.startsWith(BY_A_LINK)) return `link ${keyId}`;
  const name = names.get(keyId);
  return OF_THE_OPERATOR[keyId] ?? (name === undefined ? `key ${keyId}` : `key “${name}”`);
};
