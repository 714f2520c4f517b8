// Made from openapi.json by `npm run client`: change the routes, not this file.

/** What one batch has done. */
export interface EncryptionKeyRotated {
  /** The last endpoint of the batch. Null when none comes after it. */
  last: string | null;
  /** Endpoints whose secrets were sealed anew. */
  resealed: number;
  /** Endpoints whose secrets neither key opens. Give each a new one: `POST …/rotate-secret`. */
  unreadable: string[];
  /** API keys that work and were not used since: they end when the previous key is taken away. */
  apiKeysLeft: number;
}
