import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { sessionWebhookSecret } from '../../../backend/events/session-secret.ts';
import { verifyBackendSignature, verifyEvent } from '../../../backend/events/signature.ts';

const secret = 'my-secret-key';
const rawBody = '{"event":"message","session":"default","engine":"WEBJS"}';
const signatureHex =
  '208f8a55dde9e05519e898b10b89bf0d0b3b0fdf11fdbf09b6b90476301b98d8097c462b2b17a6ce93b6b47a136cf2e78a33a63f6752c2c1631777076153fa89';

describe('the signature of an event of a session', () => {
  const sign = (key: string) => createHmac('sha512', key).update(rawBody).digest('hex');
  const isTaken = (key: string, sessionName: string | null = 'ours') =>
    verifyEvent({ rawBody, signatureHex: sign(key), sessionName, secret });

  test("verifies with the session's own secret, and with the one that all had before", () => {
    expect(isTaken(sessionWebhookSecret(secret, 'ours'))).toBe(true);
    expect(isTaken(secret)).toBe(true);
    expect(isTaken(secret, null)).toBe(true);
  });

  test("is refused with another session's secret, and where no session is named", () => {
    expect(isTaken(sessionWebhookSecret(secret, 'theirs'))).toBe(false);
    expect(isTaken(sessionWebhookSecret(secret, 'ours'), null)).toBe(false);
    expect(isTaken(sessionWebhookSecret(secret, ''), null)).toBe(false);
    expect(verifyEvent({ rawBody, signatureHex: sign(''), sessionName: null, secret: '' })).toBe(false);
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
