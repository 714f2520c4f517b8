import { describe, expect, it } from '@jest/globals';
import { EngineError } from '../../../domain/error.ts';
import { lastMomentOf, ReactToMessage } from '../../../domain/sending/message-action.ts';
import type { ActedMessage, ActionKind } from '../../../domain/sending/message-action.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);
const OURS: ActedMessage = {
  fromMe: true,
  kind: 'text',
  isOnNetwork: true,
  isBeingMatched: false,
  isRevoked: false,
  saidAt: minutesAgo(14),
};

describe('what is asked to be done to a message', () => {
  it.each<[string, ActionKind, Partial<ActedMessage>, string]>([
    ['a message that waits', 'edit', { isOnNetwork: false }, 'message_not_sent'],
    ['a message that waits', 'reaction', { isOnNetwork: false }, 'message_not_sent'],
    ['what somebody else has written', 'edit', { fromMe: false }, 'message_not_own'],
    ['what somebody else has written', 'revoke', { fromMe: false }, 'message_not_own'],
    ['a picture', 'edit', { kind: 'image' }, 'message_not_editable'],
    ['what was deleted', 'reaction', { isRevoked: true }, 'message_revoked'],
    ['what was deleted', 'revoke', { isRevoked: true }, 'message_revoked'],
    ['a text of a quarter of an hour ago', 'edit', { saidAt: minutesAgo(15) }, 'message_too_old'],
    ['a text of three days ago', 'revoke', { saidAt: minutesAgo(3 * 24 * 60) }, 'message_too_old'],
  ])('is refused of %s: %s', (_what, kind, message, code) => {
    expect(() => lastMomentOf(kind, { ...OURS, ...message }, NOW)).toThrow(EngineError);
    expect(() => lastMomentOf(kind, { ...OURS, ...message }, NOW)).toThrow(expect.objectContaining({ code }));
  });

  it('is done for as long as the network does it', () => {
    expect(lastMomentOf('edit', OURS, NOW)).toEqual(new Date('2026-11-22T12:01:00Z'));
    expect(lastMomentOf('revoke', { ...OURS, kind: 'image' }, NOW)).toEqual(new Date('2026-11-24T23:46:00Z'));
    const theirs = { ...OURS, fromMe: false, saidAt: minutesAgo(90 * 24 * 60) };
    expect(lastMomentOf('reaction', theirs, NOW)).toEqual(new Date('2026-11-23T12:00:00Z'));
  });

  it.each([
    ['👍', true],
    ['👩‍👩‍👧', true],
    ['🇧🇷', true],
    ['1️⃣', true],
    ['❤️', true],
    [null, true],
    ['', false],
    ['a', false],
    ['👍👍', false],
    ['ok', false],
  ])('reacts with %j: %s', (emoji, takes) => {
    expect(ReactToMessage.safeParse({ emoji }).success).toBe(takes);
  });
});
