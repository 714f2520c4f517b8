import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call, registerDashboard } from '../../support/client.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { addRow, databaseNow, findRows } from '../../support/rows.ts';

const api = await apiOfThisFile('parked-dispatches');
const PATH = '/api/v1/admin/parked-dispatches';
const Page = z.object({
  dispatches: z.array(z.object({ id: z.string(), workflowId: z.string(), error: z.string().nullable() })),
  nextCursor: z.string().nullable(),
});

describe('work that Temporal has refused', () => {
  const read = async (query = '') => Page.parse((await call(api, 'GET', PATH + query, { key: MASTER_KEY })).body);

  beforeAll(async () => {
    await addRow(
      api.database,
      'dispatch',
      {
        workflowType: 'weighParcel',
        workflowId: 'parcel/1',
        action: 'start',
        agencyId: 'acme',
        parkedAt: databaseNow,
        lastError: 'no such type',
      },
      {
        workflowType: 'weighParcel',
        workflowId: 'parcel/2',
        action: 'start',
        agencyId: 'acme',
        parkedAt: databaseNow,
        lastError: 'no such type',
      },
      {
        workflowType: 'weighParcel',
        workflowId: 'parcel/3',
        action: 'start',
        agencyId: 'acme',
        parkedAt: null,
        lastError: 'was away',
      },
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
    expect((await findRows(api.database, 'dispatch', { parkedAt: null }, ['id'], 'id'))[0]).toEqual({ id });
    expect((await call(api, 'POST', `${PATH}/${id}/retry`, { key: MASTER_KEY })).status).toBe(404);
    expect((await call(api, 'POST', `${PATH}/parcel/retry`, { key: MASTER_KEY })).status).toBe(422);
  });

  it("is nobody's but the operator's", async () => {
    const key = await registerDashboard(api, { agencyId: 'acme' });
    expect((await call(api, 'GET', PATH, { key })).status).toBe(403);
    expect((await call(api, 'POST', `${PATH}/1/retry`, { key })).status).toBe(403);
  });
});
