import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { repair } from '../../bin/cli/doctor/repair.ts';
import { loadConfig } from '../../config/config.ts';
import { ENCRYPTION_KEY } from '../support/keys.ts';
import { takeDatabase } from '../support/servers.ts';

const START = fileURLToPath(new URL('../../bin/start.mjs', import.meta.url));
const NOTHING_RUNS = { config: loadConfig({ DATA_DIR: '/nowhere' }), running: null };

describe('./engine doctor --repair', () => {
  it('tells an operator that nothing runs', async () => {
    await expect(repair([], NOTHING_RUNS, () => undefined)).rejects.toThrow('No engine runs on /nowhere');
  });

  it('tells which repair was probably meant, and all that there are', async () => {
    await expect(repair(['empty-erasure'], NOTHING_RUNS, () => undefined)).rejects.toThrow(
      /There is no repair "empty-erasure"\. Did you mean "empty-erasures"\? There are: lost-contents, /,
    );
  });

  it('looks for every fault in the database that is configured, and ends', async () => {
    const env = {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: '/nowhere',
      DATABASE_URL: await takeDatabase(),
      ENGINE_ENCRYPTION_KEY: ENCRYPTION_KEY,
    };
    const { stdout } = await promisify(execFile)(process.execPath, [START, 'doctor', '--repair'], {
      cwd: tmpdir(),
      env,
    });
    const said = stdout.trim().split('\n');
    expect(said.map((line) => line.split(/ +/).slice(0, 2).join(' '))).toEqual([
      'lost-contents 0',
      'unread-contents 0',
      'future-messages 0',
      'mistyped-files 0',
      'forgotten-stops 0',
      'returned-messages 0',
      'empty-erasures 0',
      'Nothing is',
    ]);
  });
});
