import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { z } from 'zod';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call, registerDashboard } from '../../support/client.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { rowsOf } from '../../support/rows.ts';

const api = await apiOfThisFile('parked-dispatches');
const PATH = '/api/v1/admin/parked-dispatches';
const Page = z.object({
  dispatches: z.array(z.object({ id: z.string(), workflowId: z.string(), error: z.string().nullable() })),
  nextCursor: z.string().nullable(),
});

describe('work that Temporal has refused', () => {
  const read = async (query = '') => Page.parse((await call(api, 'GET', PATH + query, { key: MASTER_KEY })).body);

  beforeAll(async () => {
    await rowsOf(
      api.database,
      sql<object>`insert into dispatch (workflow_type, workflow_id, action, agency_id, parked_at, last_error)
        values ('weighParcel', 'parcel/1', 'start', 'acme', now(), 'no such type'),
          ('weighParcel', 'parcel/2', 'start', 'acme', now(), 'no such type'),
          ('weighParcel', 'parcel/3', 'start', 'acme', null, 'was away')`,
    );
  });

  it('is listed with its reason, the oldest first, page by page', async () => {
    const first = await read('?limit=1');
    expect(first.dispatches).toMatchObject([{ workflowId: 'parcel/1', error: 'no such type' }]);
    const second = await read(`?limit=1&cursor=${first.nextCursor ?? ''}`);
    expect(second).toMatchObject({ dispatches: [{ workflowId: 'parcel/2' }], nextCursor: null });
  });

  it('is tried again when the operator says so, once', async () => {
    const id = (await read()).dispatches[0]?.id ?? '';
    const retried = await call(api, 'POST', `${PATH}/${id}/retry`, { key: MASTER_KEY });
    expect(retried).toMatchObject({ status: 202, body: { workflowId: 'parcel/1', parkedAt: null } });
    const waiting = sql<{ id: string }>`select id::text as id from dispatch where parked_at is null order by id`;
    expect((await rowsOf(api.database, waiting))[0]).toEqual({ id });
    expect((await call(api, 'POST', `${PATH}/${id}/retry`, { key: MASTER_KEY })).status).toBe(404);
    expect((await call(api, 'POST', `${PATH}/parcel/retry`, { key: MASTER_KEY })).status).toBe(422);
  });

  it("is nobody's but the operator's", async () => {
    const key = await registerDashboard(api, { agencyId: 'acme' });
    expect((await call(api, 'GET', PATH, { key })).status).toBe(403);
    expect((await call(api, 'POST', `${PATH}/1/retry`, { key })).status).toBe(403);
  });
});
