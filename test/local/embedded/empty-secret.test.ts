import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDataDirectory } from '../../../local/embedded/data-directory.ts';

describe('a secret whose file a crash of the machine has emptied', () => {
  let path: string;

  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'empty secret '));
  });
  afterEach(() => rm(path, { recursive: true }));

  it.each(['', '\n'])('is neither used nor replaced, and the sentence says what to do (%j)', async (content) => {
    await writeFile(join(path, 'encryption-key'), content);
    const directory = await openDataDirectory({ path });
    await expect(directory.readOrCreateSecret('encryption-key', 32)).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringMatching(
        /encryption-key is empty: put back a copy of it, or set DATA_DIR to an empty directory/,
      ),
    });
    expect(await readFile(join(path, 'encryption-key'), 'utf8')).toBe(content);
    await directory.unlock();
  });
});
