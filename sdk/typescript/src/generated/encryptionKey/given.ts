// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Where the batch before ended. */
export interface RotateEncryptionKey {
  /** The last answer's `last`; begins when left out. */
  after?: string | null | undefined;
}
