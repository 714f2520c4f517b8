import { describe, expect, it } from '@jest/globals';
import { readHistory } from './histories.ts';

/** The most events of one message: each is a write of Temporal's database. */
const MOST: [story: string, events: number][] = [
  ['delivered', 13],
  ['never-acked', 13],
  ['sent-unacked', 8],
  ['restricted', 13],
  ['media', 18],
  ['bulk', 8],
  ['not-on-network', 8],
  // A wait more than a delivered one.
  ['held-and-released', 13 + 5],
];

/** From the first signal until the agent is idle, with the look for what is worth remembering. */
const MAX_OF_A_TURN: [story: string, events: number][] = [
  ['replied', 24],
  // Four messages more.
  ['burst', 24 + 4 * 4],
  // Five messages more, each in a quiet period of its own.
  ['slow-writer', 24 + 4 * 5],
];

describe('Temporal stores few events of a turn of the agent', () => {
  it.each(MAX_OF_A_TURN)('that was %s: at most %d', (story, most) => {
    expect(readHistory(`ai-conversation-${story}`).events.length).toBeLessThanOrEqual(most);
  });
});

/** Whatever the number of messages, a slice that is sent within a moment costs this. */
const MAX_OF_A_SLICE = 6;

describe('Temporal stores few events of a slice', () => {
  it('that was sent', () => {
    expect(readHistory('deliver-slice-sent').events.length).toBeLessThanOrEqual(MAX_OF_A_SLICE);
  });
});

describe('Temporal stores few events of a message', () => {
  it.each(MOST)('that was %s: at most %d', (story, most) => {
    expect(readHistory(`deliver-message-${story}`).events.length).toBeLessThanOrEqual(most);
  });
});
