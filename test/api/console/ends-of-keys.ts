import { expect } from '@jest/globals';
import type { RunningApi } from '../../support/api.ts';
import { call, register } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import type { Key } from './made-credentials.ts';

/** A key of an agency, whose own maker has the name `parent`. */
export interface KeyOfAgency {
  of: Agency;
  key: Key;
}

/** Every end that a key can have. */
export const endsOfKeys = (api: RunningApi): Record<string, (maker: KeyOfAgency) => Promise<unknown>> => ({
  'it is revoked': ({ of, key }) => call(api, 'DELETE', `/api/v1/api-keys/${key.id}`, { key: of.dashboardKey }),
  'it is rotated': ({ of, key }) =>
    call(api, 'POST', `/api/v1/api-keys/${key.id}/rotate`, { key: of.dashboardKey, body: { overlapSeconds: 0 } }),
  'it expires': async () => api.database.clock.advance(601_000),
  'the agency is registered again': ({ of }) =>
    register(api, { agencyId: of.agencyId, rotateKey: true, overlapSeconds: 0 }),
  'its own maker is revoked': async ({ of, key }) => {
    const { apiKeys } = (await call(api, 'GET', '/api/v1/api-keys', { key: of.dashboardKey })).body;
    expect(apiKeys).toContainEqual(expect.objectContaining({ id: key.id, madeBy: expect.any(String) }));
    const [maker] =
      JSON.stringify(apiKeys).match(new RegExp(`(?<="id":")\\w+(?=","kind":"dashboard","name":"parent")`)) ?? [];
    return call(api, 'DELETE', `/api/v1/api-keys/${maker ?? ''}`, { key: of.dashboardKey });
  },
  'the agency is suspended': ({ of }) =>
    call(api, 'POST', `/api/v1/admin/dashboards/${of.agencyId}/suspend`, { key: MASTER_KEY, body: { reason: 'test' } }),
});
