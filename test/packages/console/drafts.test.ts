import { describe, expect, test } from '@jest/globals';
import { createDraftStore, removeOldDrafts } from '../../../packages/console/pages/inbox/compose/draft-store.ts';
import { EMPTY, filesOf, withFiles } from '../../../packages/console/pages/inbox/draft.ts';

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

  test('that something else has written there is no draft', () => {
    const storage = aStorage();
    const store = createDraftStore(storage, 'ada', () => 0);
    for (const odd of ['{', 'null', '7', '{"owner":"ben"}']) {
      storage.setItem('engine-console-draft cnv_1', odd);
      expect(store.read('cnv_1')).toBeUndefined();
    }
    storage.setItem('engine-console-draft cnv_1', '{"owner":"ada","at":0,"text":7,"buttons":"no"}');
    expect(store.read('cnv_1')).toEqual(EMPTY);
  });

  test('has ten files at most', () => {
    const many = filesOf(Array.from({ length: 9 }, () => file));
    expect(withFiles({ ...EMPTY, files: many }, many)).toHaveLength(10);
  });
});
