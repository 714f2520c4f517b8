import { describe, expect, it } from '@jest/globals';
import { runSql } from '../../bin/cli/sql.ts';
import { loadConfig } from '../../config/config.ts';

const NOTHING_RUNS = { config: loadConfig({ DATA_DIR: '/nowhere' }), running: null };
const say = (): void => undefined;

describe('./engine sql', () => {
  it('tells an operator that nothing runs, and what to start or set', async () => {
    await expect(runSql(['select 1'], NOTHING_RUNS, say)).rejects.toThrow(
      /No engine runs on \/nowhere.*npm start.*DATABASE_URL/,
    );
  });

  it('tells an operator whose shell has taken the statement apart to quote it', async () => {
    await expect(runSql(['select', '1'], NOTHING_RUNS, say)).rejects.toThrow('Give the SQL as one word, in quotes.');
  });
});
