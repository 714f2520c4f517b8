import { describe, expect, it } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { KEY_SCOPES } from '../../../domain/tenants/api-key.ts';
import type { KeyScope } from '../../../domain/tenants/api-key.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { anAgency, call } from '../../support/client.ts';
import { aDashboardKey } from '../console/made-credentials.ts';

const api = await apiOfThisFile('scopes');
const acme = await anAgency(api, { agencyId: 'acme' });

/** Keys that have every scope but one. */
const lacking = new Map<KeyScope, string>();
for (const scope of KEY_SCOPES) {
  const scopes = KEY_SCOPES.filter((each) => each !== scope);
  lacking.set(scope, (await aDashboardKey(api, acme, { scopes })).apiKey);
}

const scoped = routes.flatMap(({ method, path, scope }) => (scope === null ? [] : [{ method, path, scope }]));

describe('a key that has every scope but the one of a route', () => {
  it.each(scoped)('does not get past $method $path', async ({ method, path, scope }) => {
    const concrete = path.replace(':tenantId', 't1').replaceAll(/:\w+/g, acme.session.id);
    const answer = await call(api, method, concrete, { key: lacking.get(scope) ?? '' });
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(answer.body['detail']).toContain(scope);
  });

  it('starts no reading of contacts with a scope that only reads', () => {
    expect(scoped).toContainEqual({ method: 'POST', path: '/api/v1/:session/syncContacts', scope: 'sessions' });
  });
});
