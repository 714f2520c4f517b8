import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** The first byte of a sealed secret names the key that sealed it, so that keys can be rotated. */
const KEY_ID = 1;

/**
 * Encrypts secrets that must be readable again (webhook secrets), and makes keyed digests of secrets that must not be
 * readable.
 */
export class SecretBox {
  readonly #key: Buffer;
  readonly #pepper: Buffer;

  constructor(encryptionKey: string) {
    this.#key = createHash('sha256').update(`seal:${encryptionKey}`).digest();
    this.#pepper = createHash('sha256').update(`pepper:${encryptionKey}`).digest();
  }

  /**
   * Encrypts with AES-256-GCM. `context` (the owner's id) is bound in, so that a sealed value that is moved to another
   * row does not open.
   */
  seal(plain: string, context: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.from([KEY_ID]), iv, cipher.getAuthTag(), sealed]);
  }

  open(sealed: Buffer, context: string): string {
    if (sealed[0] !== KEY_ID) throw new Error('The secret was sealed with a key that this engine does not have.');
    const iv = sealed.subarray(1, 1 + IV_BYTES);
    const tag = sealed.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(context)).setAuthTag(tag);
    return decipher.update(sealed.subarray(1 + IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  }

  /** Makes a keyed digest. A fast hash is enough for secrets of 256 random bits, which cannot be guessed. */
  digest(secret: string): Buffer {
    return createHmac('sha256', this.#pepper).update(secret).digest();
  }
}
