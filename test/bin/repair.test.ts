import { describe, expect, it } from '@jest/globals';
import { repair } from '../../bin/cli/doctor/repair.ts';
import { loadConfig } from '../../config.ts';
import { ENCRYPTION_KEY } from '../support/keys.ts';
import { takeDatabase } from '../support/servers.ts';

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

  it('looks for every fault in the database that is configured', async () => {
    const config = loadConfig({
      DATA_DIR: '/nowhere',
      DATABASE_URL: await takeDatabase(),
      ENGINE_ENCRYPTION_KEY: ENCRYPTION_KEY,
    });
    const said: string[] = [];
    await repair([], { config, running: null }, (line) => said.push(line));
    expect(said.map((line) => line.split(/ +/).slice(0, 2).join(' '))).toEqual([
      'lost-contents 0',
      'future-messages 0',
      'mistyped-files 0',
      'forgotten-stops 0',
      'returned-messages 0',
      'empty-erasures 0',
      'Nothing is',
    ]);
  });
});
