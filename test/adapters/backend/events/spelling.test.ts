import { describe, expect, it, test } from '@jest/globals';
import { toNetworkMessage } from '../../../../adapters/backend/events/message.ts';
import { RawMessage } from '../../../../adapters/backend/events/raw-message.ts';
import { hasFact } from '../../../../adapters/backend/events/spelling/read.ts';
import { ENGINES, SPELLINGS } from '../../../../adapters/backend/events/spelling/table.ts';

const FACTS = Object.entries(SPELLINGS);
const ID = 'false_4915100000005@c.us_3A00';

/** A payload that holds one value, at the path of a table's cell. */
function payloadWith(path: string, value: unknown): unknown {
  const names = path
    .replace(/^content\./, '_data.message.')
    .replaceAll('*', 'imageMessage')
    .split('.');
  const inner = names.reduceRight<unknown>((held, name) => ({ [name]: held }), value);
  return { id: ID, ...(typeof inner === 'object' ? inner : {}) };
}

/** A value of the sort that engines have at the place. */
function valueFor(path: string): unknown {
  if (path.endsWith('Ms')) return 1_795_000_000_000;
  return !path.startsWith('content.') && /message|Message|Key$/.test(path) ? { id: 'X', message: {} } : 'told';
}

describe('the table of what each engine tells where', () => {
  it('has a cell with its origin for each fact and engine', () => {
    expect(FACTS.length).toBeGreaterThan(10);
    for (const [fact, row] of FACTS) {
      expect([fact, Object.keys(row).toSorted()]).toEqual([fact, [...ENGINES].toSorted()]);
      for (const engine of ENGINES) {
        const cell: { at: readonly string[]; origin: string; because?: string } = row[engine];
        expect([fact, engine, cell.origin]).toEqual([
          fact,
          engine,
          expect.stringMatching(/^(captured|source|report): \S/),
        ]);
        // A place, or the reason why there is none.
        expect([fact, engine, cell.at.length > 0 || cell.because !== undefined]).toEqual([fact, engine, true]);
      }
    }
  });

  test.each(Object.keys(SPELLINGS) as (keyof typeof SPELLINGS)[])(
    '%s is read at each of its places, and not where it is false',
    (fact) => {
      for (const engine of ENGINES) {
        const cell: { at: readonly string[]; is?: readonly unknown[]; as?: 'text' } = SPELLINGS[fact][engine];
        for (const path of cell.at) {
          for (const value of cell.is ?? [cell.as === 'text' ? 'told' : valueFor(path)]) {
            expect([path, hasFact(RawMessage.parse(payloadWith(path, value)), fact)]).toEqual([path, true]);
          }
          expect([path, hasFact(RawMessage.parse(payloadWith(path, false)), fact)]).toEqual([path, false]);
        }
      }
      expect(hasFact(RawMessage.parse({ id: ID, body: 'x', _data: { message: { conversation: 'x' } } }), fact)).toBe(
        false,
      );
    },
  );
});

describe('a file that is to be seen once', () => {
  const media = { url: 'http://backend/api/files/s/3A00.jpg', mimetype: 'image/jpeg', filename: null };
  const picture = { mimetype: 'image/jpeg' };
  test.each([
    ['NOWEB, by the key', { key: { isViewOnce: true } }],
    ['NOWEB, wrapped', { message: { viewOnceMessageV2: { message: { imageMessage: picture } } } }],
    [
      'NOWEB, in a disappearing chat',
      { message: { ephemeralMessage: { message: { viewOnceMessage: { message: { imageMessage: picture } } } } } },
    ],
    ['NOWEB, marked', { message: { audioMessage: { viewOnce: true } } }],
    ['GOWS, unwrapped', { Info: {}, Message: { imageMessage: picture }, IsViewOnce: true }],
    [
      'GOWS, by the raw message',
      { Message: { imageMessage: picture }, RawMessage: { viewOnceMessageV2: { message: { imageMessage: picture } } } },
    ],
    ['GOWS, extension', { Message: { audioMessage: {} }, IsViewOnceV2Extension: true }],
    ['GOWS, not available', { Info: {}, IsUnavailable: true, UnavailableType: 'view_once' }],
    ['WEBJS and WPP', { type: 'image', isViewOnce: true }],
  ])('is not kept: %s', (_how, _data) => {
    const read = toNetworkMessage({ id: ID, body: null, hasMedia: true, media, _data }, { isLive: true });
    expect(read).toMatchObject({ hasMedia: false, media: null, content: { viewOnce: true } });
    expect(read?.content).not.toHaveProperty('contentState');
    const empty = toNetworkMessage({ id: ID, body: null, hasMedia: false, media: null, _data }, { isLive: true });
    expect(empty?.content).toMatchObject({ viewOnce: true });
  });
});

describe('the time of a message', () => {
  const SECONDS = 1_795_000_000;
  test.each([
    ['seconds', SECONDS],
    ['fractions', SECONDS + 0.5],
    ['milliseconds', SECONDS * 1_000],
    ['microseconds', SECONDS * 1_000_000],
    ['nanoseconds', SECONDS * 1_000_000_000],
    ['text', `${SECONDS}`],
  ])('is read in %s', (_unit, timestamp) => {
    expect(toNetworkMessage({ id: ID, body: 'x', timestamp })?.timestamp).toBe(SECONDS);
  });

  test.each([0, null, -5, 'yesterday'])('is that of the event where the engine tells %p', (timestamp) => {
    const read = toNetworkMessage({ id: ID, body: 'x', timestamp }, { receivedAt: SECONDS * 1_000 });
    expect(read?.timestamp).toBe(SECONDS);
  });
});
