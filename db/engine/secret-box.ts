import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** The first byte of a sealed secret names the form of what follows. */
const FORM = 1;
const NAME_LENGTH = 12;

/** The keys that derive from one encryption key. */
interface Keys {
  /** Tells encryption keys apart without telling anything about them. */
  name: string;
  seal: Buffer;
  /** A key object, because a plain buffer would be looked at anew for each digest. */
  pepper: KeyObject;
}

/**
 * Encrypts secrets that must be readable again (webhook secrets), and makes keyed digests of secrets that must not be
 * readable. While the encryption key is being replaced, what was made with the previous one is still understood.
 */
export class SecretBox {
  readonly #current: Keys;
  readonly #previous: Keys | undefined;

  constructor(encryptionKey: string, previousEncryptionKey?: string) {
    this.#current = keysOf(encryptionKey);
    this.#previous = previousEncryptionKey === undefined ? undefined : keysOf(previousEncryptionKey);
  }

  /** The name of the encryption key that digests are made with. */
  get keyName(): string {
    return this.#current.name;
  }

  /** True while a previous encryption key is understood, too. */
  get isReplacing(): boolean {
    return this.#previous !== undefined;
  }

  /**
   * Encrypts with AES-256-GCM. `context` (the owner's id) is bound in, so that a sealed value that is moved to another
   * row does not open.
   */
  seal(plain: string, context: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#current.seal, iv).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.from([FORM]), iv, cipher.getAuthTag(), sealed]);
  }

  open(sealed: Buffer, context: string): string {
    if (sealed[0] !== FORM) throw new Error('The secret was sealed by another version of the engine.');
    try {
      return decrypt(this.#current, sealed, context);
    } catch (error) {
      if (this.#previous === undefined) throw error;
      return decrypt(this.#previous, sealed, context);
    }
  }

  /** Seals with the current key what the previous one has sealed; null when that was done before. */
  sealAgain(sealed: Buffer, context: string): Buffer | null {
    try {
      decrypt(this.#current, sealed, context);
      return null;
    } catch {
      return this.seal(this.open(sealed, context), context);
    }
  }

  /** Makes a keyed digest. A fast hash is enough for secrets of 256 random bits, which cannot be guessed. */
  digest(secret: string): Buffer {
    return digestWith(this.#current, secret);
  }

  /** Returns the peppers of the current and the previous key, for digests that must outlive both. */
  peppers(): string[] {
    const keys = this.#previous === undefined ? [this.#current] : [this.#current, this.#previous];
    return keys.map(({ pepper }) => pepper.export().toString('hex'));
  }

  /** All digests of the text that count: the one with the current key first. */
  digests(text: string): Buffer[] {
    const keys = this.#previous === undefined ? [this.#current] : [this.#current, this.#previous];
    return keys.map((each) => digestWith(each, text));
  }

  /** Which encryption key the digest of this text was made with; null when it is the digest of another text. */
  keyOfDigest(digest: Buffer, text: string): 'current' | 'previous' | null {
    const isCurrent = isSame(digest, digestWith(this.#current, text));
    const isPrevious = this.#previous !== undefined && isSame(digest, digestWith(this.#previous, text));
    return isCurrent ? 'current' : isPrevious ? 'previous' : null;
  }

  /** True when this is the digest of the text; the answer takes the same time either way. */
  isDigest(digest: Buffer, text: string): boolean {
    return this.keyOfDigest(digest, text) !== null;
  }
}

function keysOf(encryptionKey: string): Keys {
  const part = (name: string): Buffer => createHash('sha256').update(`${name}:${encryptionKey}`).digest();
  const pepper = createSecretKey(part('pepper'));
  return { name: part('name').toString('hex').slice(0, NAME_LENGTH), seal: part('seal'), pepper };
}

function decrypt({ seal }: Keys, sealed: Buffer, context: string): string {
  const iv = sealed.subarray(1, 1 + IV_BYTES);
  const tag = sealed.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', seal, iv).setAAD(Buffer.from(context)).setAuthTag(tag);
  return decipher.update(sealed.subarray(1 + IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

function digestWith({ pepper }: Keys, text: string): Buffer {
  return createHmac('sha256', pepper).update(text).digest();
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
