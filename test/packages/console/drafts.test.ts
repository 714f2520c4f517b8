import { describe, expect, test } from '@jest/globals';
import { createDraftStore, removeOldDrafts } from '../../../packages/console/pages/inbox/compose/draft-store.ts';
import { addedText, EMPTY, filesOf, withFiles } from '../../../packages/console/pages/inbox/draft.ts';

const DAY_MS = 86_400_000;

/** The storage of a browser. */
function aStorage() {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    key: (place: number) => [...values.keys()][place] ?? null,
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    removeItem: (name: string) => void values.delete(name),
  };
}

describe('a draft', () => {
  const file = new File(['one'], 'one.png', { type: 'image/png', lastModified: 1 });

  test('is there after a reload, by its conversation, without files of the device', () => {
    const storage = aStorage();
    const draft = {
      text: 'Hello',
      buttons: ['Yes'],
      later: '2026-03-02T09:30',
      quotes: 'msg_1',
      files: filesOf([file]),
    };
    createDraftStore(storage, 'ada', () => 0).write('cnv_1', draft);
    const after = createDraftStore(storage, 'ada', () => DAY_MS);
    expect(after.read('cnv_1')).toEqual({ ...draft, files: [] });
    expect(after.read('cnv_2')).toBeUndefined();
  });

  test('is gone once it was sent, which leaves it empty', () => {
    const storage = aStorage();
    const store = createDraftStore(storage, 'ada', () => 0);
    store.write('cnv_1', { ...EMPTY, text: 'Hello' });
    store.write('cnv_1', EMPTY);
    expect([storage.length, store.read('cnv_1')]).toEqual([0, undefined]);
  });

  test('is of one login, and of a month at most', () => {
    const storage = aStorage();
    createDraftStore(storage, 'ada', () => 0).write('cnv_1', { ...EMPTY, text: 'Hello' });
    expect(createDraftStore(storage, 'ben', () => 0).read('cnv_1')).toBeUndefined();
    expect(createDraftStore(storage, 'ada', () => 31 * DAY_MS).read('cnv_1')).toBeUndefined();
    storage.setItem('engine-console-name', 'Ada');
    removeOldDrafts(storage, 31 * DAY_MS);
    expect(storage.length).toBe(1);
  });

  test('stays where another login of the browser writes and sends its own', () => {
    const storage = aStorage();
    const ada = createDraftStore(storage, 'ada', () => 0);
    const ben = createDraftStore(storage, 'ben', () => 0);
    ada.write('cnv_1', { ...EMPTY, text: 'Hello' });
    ben.write('cnv_1', { ...EMPTY, text: 'Hi' });
    ben.write('cnv_1', EMPTY);
    expect(ada.read('cnv_1')).toEqual({ ...EMPTY, text: 'Hello' });
  });

  test('goes out under its first key after a reload, and under another once its words change', () => {
    const store = createDraftStore(aStorage(), 'ada', () => 0);
    store.write('cnv_1', { ...EMPTY, text: 'Hello' });
    store.writeKey('cnv_1', { of: 'Hello', key: 'k1' });
    expect([store.keyOf('cnv_1', 'Hello'), store.keyOf('cnv_1', 'Hi'), store.keyOf('cnv_2', 'Hello')]).toEqual([
      'k1',
      undefined,
      undefined,
    ]);
    expect(store.read('cnv_1')).toEqual({ ...EMPTY, text: 'Hello' });
    store.write('cnv_1', { ...EMPTY, text: 'Hello!' });
    expect(store.keyOf('cnv_1', 'Hello')).toBeUndefined();
  });

  test('loses a time that is over, and names its buttons and its time where their fields are closed', () => {
    const storage = aStorage();
    const draft = { ...EMPTY, text: 'Hello', buttons: ['Yes', 'No'], later: '2026-03-02T09:30' };
    createDraftStore(storage, 'ada', () => Date.parse('2026-03-02T09:00')).write('cnv_1', draft);
    const before = createDraftStore(storage, 'ada', () => Date.parse('2026-03-02T09:10')).read('cnv_1');
    const after = createDraftStore(storage, 'ada', () => Date.parse('2026-03-02T09:40')).read('cnv_1');
    expect([before?.later, after?.later]).toEqual([draft.later, '']);
    expect(addedText(draft)).toEqual(['2 buttons', 'at 2026-03-02 09:30']);
    expect(addedText(EMPTY)).toEqual([]);
  });

  test('that something else has written there is no draft', () => {
    const storage = aStorage();
    const store = createDraftStore(storage, 'ada', () => 0);
    for (const odd of ['{', 'null', '7', '{"text":"no time"}']) {
      storage.setItem('engine-console-draft cnv_1 ada', odd);
      expect(store.read('cnv_1')).toBeUndefined();
    }
    storage.setItem('engine-console-draft cnv_1 ada', '{"at":0,"text":7,"buttons":"no"}');
    expect(store.read('cnv_1')).toEqual(EMPTY);
  });

  test('has ten files at most', () => {
    const many = filesOf(Array.from({ length: 9 }, () => file));
    expect(withFiles({ ...EMPTY, files: many }, many)).toHaveLength(10);
  });
});
