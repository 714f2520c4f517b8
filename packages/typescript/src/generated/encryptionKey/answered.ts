// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The result of one batch. */
export interface EncryptionKeyRotated {
  /** The last endpoint of the batch. Null if no other follows. */
  last: string | null;
  /** Endpoints whose secrets were resealed. */
  resealed: number;
  /** Endpoints whose secrets neither key opens. Give each a new one with `POST …/rotate-secret`. */
  unreadable: string[];
  /** API keys that work and have not been used since: they stop working when the previous key is removed. */
  apiKeysLeft: number;
}
