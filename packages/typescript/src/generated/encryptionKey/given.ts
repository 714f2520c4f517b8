// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The end of the previous batch. */
export interface RotateEncryptionKey {
  /** The `last` of the previous response. Omit it to begin. */
  after?: string | null | undefined;
}
