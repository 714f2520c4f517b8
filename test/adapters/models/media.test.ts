import { describe, expect, it } from '@jest/globals';
import { loadModelMedia } from '../../../adapters/models/media.ts';
import { createModels } from '../../../adapters/models/models.ts';
import type { MediaStore } from '../../../domain/sending/media.ts';
import type { ModelSpec } from '../../../domain/agent/model.ts';
import type { ContextMessage, PromptContext } from '../../../domain/agent/prompt/context.ts';
import { buildPrompt } from '../../../domain/agent/prompt/prompt.ts';
import { defaultPersona } from '../../../domain/agent/sales-agent.ts';
import { startStub } from '../backend/stub-backend.ts';
import { UNCLEANED } from '../../support/uncleaned.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\nthe rest', 'latin1');
const OGG = Buffer.from('OggS\0the rest', 'latin1');
const HEIC = Buffer.from('\0\0\0\x18ftypheic', 'latin1');
const FILES: Readonly<Record<string, Buffer>> = {
  'a.jpg': PNG,
  'b.oga': OGG,
  'c.heic': HEIC,
  'd.bin': Buffer.alloc(6_000_000, 1),
};

const file = (kind: string, name: string, more: Partial<ContextMessage> = {}): ContextMessage => ({
  id: `msg_${name}`,
  direction: 'in',
  kind,
  body: '',
  at: new Date('2026-11-21T18:00:00Z'),
  // The backend may be told a wrong address of itself.
  media: {
    mimeType: null,
    fileName: null,
    seconds: 4,
    url: `http://waha.invalid/api/files/s/${name}`,
    storedKey: null,
  },
  ...more,
});
const contextOf = (...messages: ContextMessage[]): PromptContext => ({
  messages,
  memories: [],
  tenantFacts: [],
  contactName: null,
  now: new Date('2026-11-21T18:00:00Z'),
  timeZone: 'UTC',
});
const noStore: MediaStore = {
  ...UNCLEANED,
  put: () => Promise.reject(new Error()),
  get: () => Promise.resolve(null),
};

/** Returns the loaded messages for a model of this kind, and the requests at the backend. */
async function loadedBy(spec: Partial<ModelSpec>, context: PromptContext, store = noStore) {
  await using stub = await startStub(({ path }) => {
    const bytes = FILES[path.split('/').at(-1) ?? ''];
    return bytes ? { raw: bytes } : { status: 404, json: {} };
  });
  const models = createModels({
    models: [{ id: 'm', provider: 'openai-compatible', ...spec }],
    baseUrl: 'http://127.0.0.1:9/v1',
    apiKey: null,
  });
  const of = new Set(context.messages.map(({ id }) => id));
  const parts = { model: 'm', of, models, backend: stub.backend, store, signal: new AbortController().signal };
  const loaded = await loadModelMedia(context, parts);
  const prompt = buildPrompt(defaultPersona('m'), loaded);
  return {
    types: prompt.messages.flatMap(({ media }) => media.map(({ mimeType }) => mimeType)),
    prompt,
    asked: stub.requests,
  };
}

describe('files for the model', () => {
  it('are fetched from the backend with its key where the model takes such, as what they are', async () => {
    const { types, asked } = await loadedBy(
      { input: ['image', 'audio'] },
      contextOf(file('image', 'a.jpg'), file('audio', 'b.oga')),
    );
    expect(types).toEqual(['image/png', 'audio/ogg']);
    expect(asked.map(({ path }) => path).toSorted()).toEqual(['/api/files/s/a.jpg', '/api/files/s/b.oga']);
    expect(asked[0]?.headers['x-api-key']).toBe('the-key');
  });

  it('are named in words to a model that takes text only, and nobody is asked for them', async () => {
    const { types, asked, prompt } = await loadedBy({}, contextOf(file('image', 'a.jpg'), file('audio', 'b.oga')));
    expect(types).toEqual([]);
    expect(asked).toEqual([]);
    expect(prompt.messages[0]?.content).toContain('[image]');
    expect(prompt.messages[0]?.content).toContain('[voice message, 4 s]');
  });

  it.each([
    ['is gone', file('image', 'gone.jpg')],
    ['is of a type that no provider takes', file('image', 'c.heic')],
    ['is larger than providers take', file('image', 'd.bin')],
    ['is none of that kind', file('audio', 'a.jpg')],
    [
      'is elsewhere',
      file('image', 'a.jpg', {
        media: { mimeType: null, fileName: null, seconds: null, url: 'https://evil.example/a.jpg', storedKey: null },
      }),
    ],
  ])('are named in words when one %s', async (_what, message) => {
    const { types, prompt } = await loadedBy({ input: ['image', 'audio'] }, contextOf(message));
    expect(types).toEqual([]);
    expect(prompt.messages[0]?.content).toMatch(/\[(image|voice message)/);
  });

  it('are the newest three of the contact, none of ours', async () => {
    const { types, asked } = await loadedBy(
      { input: ['image'] },
      contextOf(
        file('image', 'a.jpg', { id: 'msg_1' }),
        file('image', 'a.jpg', { id: 'msg_2' }),
        file('image', 'a.jpg', { id: 'msg_3' }),
        file('image', 'a.jpg', { id: 'msg_4', direction: 'out' }),
        file('image', 'a.jpg', { id: 'msg_5' }),
      ),
    );
    expect(types).toHaveLength(3);
    expect(asked).toHaveLength(3);
  });

  it('come from our own store where they are there', async () => {
    const store: MediaStore = { ...noStore, get: () => Promise.resolve(stream(PNG)) };
    const stored = file('image', 'x.png', {
      media: { mimeType: 'image/png', fileName: null, seconds: null, url: null, storedKey: 'a/b' },
    });
    const { types, asked } = await loadedBy({ input: ['image'] }, contextOf(stored), store);
    expect({ types, asked }).toEqual({ types: ['image/png'], asked: [] });
  });
});

async function* stream(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
