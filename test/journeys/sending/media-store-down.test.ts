import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { startFileServer } from '../../support/file-server.ts';
import type { FileServer } from '../../support/file-server.ts';
import { passportOf, send, untilStatus } from '../../support/sends.ts';

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64, 7)]);
/** As many as may be on their way in a session. */
const FILES = 16;

describe('prepareAndSend: a media store that is down', () => {
  let engine: TestEngine;
  let agency: Agency;
  let files: FileServer;
  let isDown = true;

  beforeAll(async () => {
    files = await startFileServer({ '/': (response) => void response.end(PNG) });
    engine = await startEngine({
      mediaStore: (store) => ({
        ...store,
        put: async (...file) => {
          if (isDown) throw new Error('The store is down.');
          await store.put(...file);
        },
        get: (...asked) => store.get(...asked),
        delete: (key) => store.delete(key),
      }),
    });
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'stored' });
  });
  afterAll(async () => {
    await engine.close();
    await files.close();
  });

  async function sendFile(index: number): Promise<string> {
    const answer = await call(engine, 'POST', '/api/v1/messages/send', {
      key: agency.scopedKey,
      body: {
        to: `155501031${String(index).padStart(2, '0')}`,
        attachments: [{ kind: 'image', url: `${files.url}/` }],
      },
    });
    expect(answer.status).toBe(202);
    return String(answer.body['messageId']);
  }

  it('holds up the files that need it and not the texts of their session, and each file goes out when it is back', async () => {
    const sent: string[] = [];
    for (let index = 0; index < FILES; index += 1) sent.push(await sendFile(index));
    const text = await send(engine, agency, '15550103199', 'behind sixteen files');
    await untilStatus(engine, agency, text.messageId, 'read');
    for (const messageId of sent) expect((await passportOf(engine, agency, messageId)).status).toBe('queued');
    const reasons = async () =>
      Promise.all(sent.map(async (messageId) => (await passportOf(engine, agency, messageId)).history.at(-1)?.reason));
    // The text may be read before the first attempt at a file has failed.
    await eventually(async () => (await reasons()).includes('engine_trouble'), { what: 'a file held up' });
    isDown = false;
    await eventually(
      async () => {
        engine.database.clock.advance(5_000);
        const passports = await Promise.all(sent.map((messageId) => passportOf(engine, agency, messageId)));
        return passports.every(({ status }) => status === 'read');
      },
      { withinMs: 120_000, what: 'all files to be read' },
    );
  });
});
