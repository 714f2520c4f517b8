import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { routes } from '../../../api/routes.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { anAgency, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';

const api = await apiOfThisFile('dashboard-routes-api');
const WithKey = z.object({ apiKey: z.string() });
const SAYS = "Needs the dashboard's key.";

/** Routes of one tenant that hold for all of its sessions, or that would let a session's key outlive itself. */
const OF_TENANTS = [
  'sessions.create',
  'sessions.update',
  'sessions.delete',
  'tenantSettings.update',
  'tenantSettings.previewRetention',
  'apiKeys.create',
  'consoleLinks.create',
  'exports.create',
  'exports.list',
  'exports.read',
  'exports.download',
  'exports.delete',
  'automations.set',
  'automations.followDefault',
  'automations.cancelByKey',
  'workflows.makeHook',
  'workflows.deleteHook',
  'cannedAnswers.set',
  'cannedAnswers.delete',
];

const ofDashboards = routes.filter(
  ({ auth, operation }) => auth === 'agency' || OF_TENANTS.includes(operation.operationId ?? ''),
);
const CASES = ofDashboards.map((route) => ({ name: route.operation.operationId ?? '', route }));

describe("a route that takes the dashboard's key alone", () => {
  let agency: Agency;
  let narrow: string;

  beforeAll(async () => {
    agency = await anAgency(api, { agencyId: 'dashboard-only' });
    const { agencyId, tenantId } = agency;
    const made = await call(api, 'POST', '/api/v1/api-keys', {
      key: agency.dashboardKey,
      body: { agencyId, tenantId, name: 'narrow', scopes: ['webhooks'] },
    });
    narrow = WithKey.parse(made.body).apiKey;
  });

  it.each(CASES)("$name says so to a session's key, whatever its scopes", async ({ route }) => {
    const path = route.path.replaceAll(':tenantId', agency.tenantId).replaceAll(/:\w+/g, 'x');
    for (const key of [narrow, agency.scopedKey]) {
      const answer = await call(api, route.method, path, {
        key,
        ...(['GET', 'DELETE'].includes(route.method) ? {} : { body: {} }),
      });
      expect(answer).toMatchObject({
        status: 403,
        body: { code: 'forbidden', detail: expect.stringMatching(/^This route takes the dashboard's key/) },
      });
    }
  });

  it('says so in the document, and no other route does', () => {
    const saying = routes.filter(({ operation }) => operation.description?.includes(SAYS));
    expect(new Set(saying.map(({ operation }) => operation.operationId))).toEqual(
      new Set(CASES.map(({ name }) => name)),
    );
  });
});

describe('a route of the backend that is not for every key', () => {
  it("says so to a session's key before it names a scope", async () => {
    const agency = await anAgency(api, { agencyId: 'passing' });
    const { agencyId, tenantId } = agency;
    const made = await call(api, 'POST', '/api/v1/api-keys', {
      key: agency.dashboardKey,
      body: { agencyId, tenantId, name: 'reader', scopes: ['read'] },
    });
    const key = WithKey.parse(made.body).apiKey;
    const dashboards = await call(api, 'POST', `/api/sessions/${agency.session.name}/logout`, { key, body: {} });
    expect(dashboards.body['detail']).toMatch(/dashboard's key/);
    const other = await call(api, 'GET', `/api/${agency.session.name}/chats`, { key });
    expect(other.body['detail']).toMatch(/lacks the scope passthrough/);
  });
});
