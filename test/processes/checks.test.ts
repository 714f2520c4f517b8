import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createChecks } from '../../bin/checks.ts';
import type { Database } from '../../db/engine/database.ts';
import { onlyBackend } from '../adapters/backend/only-backend.ts';
import { startStub } from '../adapters/backend/stub-backend.ts';
import { aDatabase } from '../db/a-database.ts';

describe('what an operator is told of the backend', () => {
  let database: Database;

  beforeAll(async () => {
    database = await aDatabase();
  });
  afterAll(() => database.close());

  it.each([
    [0, undefined],
    [-30_000, expect.stringMatching(/^its clock is (29|30|31) s behind the database's/)],
    [120_000, expect.stringMatching(/^its clock is (119|120|121) s ahead of the database's/)],
  ])('is that its clock is off, where it is: %i ms', async (aheadMs, told) => {
    await using stub = await startStub(() => (response) => {
      response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString());
      response.end('{"message":"pong"}');
    });
    const checks = createChecks({
      database,
      backends: onlyBackend(stub.backend),
      probeTemporal: async () => undefined,
      missingSearchAttributes: () => null,
    });
    expect(await checks.find(({ name }) => name === 'backend')?.check()).toEqual(told);
  });
});
