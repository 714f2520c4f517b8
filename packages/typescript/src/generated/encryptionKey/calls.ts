// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type { EncryptionKeyRotated } from './answered.ts';
import type { RotateEncryptionKey } from './given.ts';

export class EncryptionKeyCalls extends Resource {
  /** Rotate the encryption key */
  rotate(body: RotateEncryptionKey = {}, options?: CallOptions): Promise<EncryptionKeyRotated> {
    return this.caller.call(
      { method: 'POST', path: '/v1/internal/encryption-key/rotate', body, once: true, psk: true },
      options,
    );
  }
}
