import { describe, expect, it } from '@jest/globals';
import { runOwnStatement } from '../../../db/operations/own-statement.ts';
import { takeDatabase } from '../../support/servers.ts';

describe('a text of an operator with several statements', () => {
  it('is answered with the rows and the count of each', async () => {
    const text = `update dispatch set priority = priority; select 1 as one`;
    expect(await runOwnStatement(await takeDatabase(), text)).toEqual([
      { rows: [], count: 0 },
      { rows: [{ one: 1 }], count: 1 },
    ]);
  });
});
