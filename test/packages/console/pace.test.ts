import { describe, expect, test } from '@jest/globals';
import { BESIDE_PACE, COUNT_PACE } from '../../../packages/console/live/spare.ts';
import { LOOK_AT_PHONE_MS, listPaceMs } from '../../../packages/console/pages/inbox/pace.ts';

const PROMISED_MS = 3_000;
/** The engine stores a message from the phone within half a second (`test/journeys/conversations/phone-message.test.ts`). */
const STORED_WITHIN_MS = 500;
const RATE_PER_MINUTE = 600;
const perMinute = (paceMs: number): number => 60_000 / paceMs;

describe('the pace at which the inbox is read again', () => {
  test('shows a message from the phone within three seconds, in the list of chats as in the open chat', () => {
    const ofList = listPaceMs({ isOnePage: true }) + BESIDE_PACE.waitMs;
    expect(STORED_WITHIN_MS + ofList).toBeLessThan(PROMISED_MS);
    expect(STORED_WITHIN_MS + LOOK_AT_PHONE_MS).toBeLessThan(PROMISED_MS);
  });

  test('counts who waits no more often than six times a minute, because a count reads all chats', () => {
    expect(perMinute(COUNT_PACE.gapMs())).toBeLessThanOrEqual(6);
  });

  test('leaves most of a key to others, also with eight pages of a filtered list', () => {
    expect(perMinute(LOOK_AT_PHONE_MS) + perMinute(listPaceMs({ isOnePage: true }))).toBeLessThan(RATE_PER_MINUTE / 8);
    expect(perMinute(listPaceMs({ isOnePage: false })) * 8).toBeLessThan(RATE_PER_MINUTE / 8);
  });
});
