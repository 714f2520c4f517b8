import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { sessionWebhookSecret } from '../../../../adapters/backend/events/session-secret.ts';
import { senderOf, verifyBackendSignature } from '../../../../adapters/backend/events/signature.ts';

const secret = 'my-secret-key';
const rawBody = '{"event":"message","session":"default","engine":"WEBJS"}';
const signatureHex =
  '208f8a55dde9e05519e898b10b89bf0d0b3b0fdf11fdbf09b6b90476301b98d8097c462b2b17a6ce93b6b47a136cf2e78a33a63f6752c2c1631777076153fa89';

describe('the signature of an event of a session', () => {
  const sign = (key: string) => createHmac('sha512', key).update(rawBody).digest('hex');
  const BACKENDS = ['default', 'second'];
  const sender = (key: string, sessionName: string | null = 'ours') =>
    senderOf({ rawBody, signatureHex: sign(key), sessionName, secret }, BACKENDS);
  const secretOf = (name: string, backend = 'default') => sessionWebhookSecret(secret, { backend, name });

  test("verifies with the session's own secret, and with the one that all had before", () => {
    expect(sender(secretOf('ours'))).toBe('default');
    expect(sender(secret)).toBe('default');
    expect(sender(secret, null)).toBe('default');
  });

  test('says which backend has signed, each with a secret of its own for the same session', () => {
    expect(sender(secretOf('ours', 'second'))).toBe('second');
    expect(sender(secretOf('ours', 'third'))).toBeNull();
    const former = { rawBody, signatureHex: sign(secret), sessionName: 'ours', secret };
    expect(senderOf(former, ['second'])).toBeNull();
  });

  test('is made with the secret that releases before several backends have given to sessions', () => {
    const before = createHmac('sha256', secret).update('webhook of the session ours').digest('base64url');
    expect(secretOf('ours')).toBe(before);
  });

  test("is refused with another session's secret, and where no session is named", () => {
    expect(sender(secretOf('theirs'))).toBeNull();
    expect(sender(secretOf('ours'), null)).toBeNull();
    expect(sender(secretOf(''), null)).toBeNull();
    expect(senderOf({ rawBody, signatureHex: sign(''), sessionName: null, secret: '' }, BACKENDS)).toBeNull();
  });
});

describe('the signature of a backend event', () => {
  test("the documentation's own vector verifies, as text and as bytes", () => {
    expect(verifyBackendSignature({ rawBody, signatureHex, secret })).toBe(true);
    expect(verifyBackendSignature({ rawBody: Buffer.from(rawBody), signatureHex, secret })).toBe(true);
  });

  test('upper case hex verifies too', () => {
    expect(verifyBackendSignature({ rawBody, signatureHex: signatureHex.toUpperCase(), secret })).toBe(true);
  });

  test('a changed body, another secret or another signature is refused', () => {
    expect(verifyBackendSignature({ rawBody: `${rawBody} `, signatureHex, secret })).toBe(false);
    expect(verifyBackendSignature({ rawBody, signatureHex, secret: 'other' })).toBe(false);
    expect(verifyBackendSignature({ rawBody, signatureHex: `${signatureHex.slice(0, -1)}0`, secret })).toBe(false);
  });

  test('a missing, short or odd signature is refused and does not throw', () => {
    for (const odd of [undefined, null, '', 'abc', `${signatureHex}00`, 'z'.repeat(128), 'é'.repeat(128)]) {
      expect(verifyBackendSignature({ rawBody, signatureHex: odd, secret })).toBe(false);
    }
  });

  test('an empty secret verifies nothing', () => {
    expect(verifyBackendSignature({ rawBody, signatureHex, secret: '' })).toBe(false);
  });
});
