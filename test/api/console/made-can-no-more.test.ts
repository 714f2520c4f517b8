import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { createOpenApiDocument } from '../../../api/openapi.ts';
import { routes } from '../../../api/routes.ts';
import { KEY_SCOPES } from '../../../domain/tenants/api-key.ts';
import type { KeyScope } from '../../../domain/tenants/api-key.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { anAgency, call } from '../../support/client.ts';
import type { Answer } from '../../support/client.ts';
import { howMany } from '../../support/depth.ts';
import { Browser } from './browser.ts';
import { aDashboardKey, Key, openedBy } from './made-credentials.ts';

const api = await apiOfThisFile('made-can-no-more');
const acme = await anAgency(api, { agencyId: 'acme' });
const endpoint = await call(api, 'POST', '/api/v1/webhooks/endpoints', {
  key: acme.dashboardKey,
  body: { url: 'http://127.0.0.1:9/in', tenantIds: ['t1'] },
});
const SCOPES_OF_SESSIONS: readonly KeyScope[] = ['send', 'read', 'sessions', 'ai:admin', 'webhooks', 'passthrough'];

/** One request for each scope, which gets 403 without it, and something else with it. */
const PROBES: Record<KeyScope, [method: string, path: string, body?: object]> = {
  send: ['POST', '/api/v1/messages/send', {}],
  read: ['GET', '/api/v1/inbox/chats'],
  sessions: ['POST', `/api/v1/sessions/${acme.session.id}/pairing-code`, {}],
  'ai:admin': ['PUT', '/api/v1/ai-sales-agent/persona', {}],
  webhooks: ['GET', '/api/v1/webhooks/endpoints'],
  keys: ['GET', '/api/v1/api-keys'],
  passthrough: ['POST', '/api/startTyping', {}],
  'admin:read': ['GET', '/api/v1/audit'],
  erase: ['POST', '/api/v1/contacts/none/erase', { dryRun: true }],
};

type Ask = (method: string, path: string, body?: object) => Promise<Answer>;
const byKey =
  (key: string): Ask =>
  (method, path, body) =>
    call(api, method, path, { key, ...(body === undefined ? {} : { body }) });

/** The scopes whose requests the credential gets through. */
async function opens(ask: Ask): Promise<KeyScope[]> {
  const opened: KeyScope[] = [];
  for (const scope of KEY_SCOPES) {
    const { status } = await ask(...PROBES[scope]);
    if (status !== 401 && status !== 403) opened.push(scope);
  }
  return opened;
}

interface Wanted {
  key: string;
  /** The scopes that the maker requests for its new credential. */
  scopes: KeyScope[];
}

/** The place of each upload in the files, which must differ. */
let uploads = 0;

/** Each route that answers with a secret: asks for one, and returns what its holder can do; null if it was refused. */
const MAKES: Record<string, (wanted: Wanted) => Promise<KeyScope[] | null>> = {
  'POST /api/v1/api-keys': async ({ key, scopes }) => {
    const given = scopes.filter((scope) => SCOPES_OF_SESSIONS.includes(scope));
    const body = { tenantId: 't1', name: 'made', ...(given.length === 0 ? {} : { scopes: given }) };
    return opensAsKey(await byKey(key)('POST', '/api/v1/api-keys', body));
  },
  'POST /api/v1/api-keys/dashboard': async ({ key, scopes }) =>
    opensAsKey(await byKey(key)('POST', '/api/v1/api-keys/dashboard', { name: 'made', scopes })),
  'POST /api/v1/api-keys/:id/rotate': async ({ key, scopes }) => {
    const other = await aDashboardKey(api, acme, { scopes });
    return opensAsKey(await byKey(key)('POST', `/api/v1/api-keys/${other.id}/rotate`, {}));
  },
  'POST /api/v1/console/links': async ({ key }) => {
    const body = { tenantId: 't1', name: 'made', readOnly: false };
    const made = await byKey(key)('POST', '/api/v1/console/links', body);
    if (made.status !== 201) return null;
    const browser = await openedBy(api, z.url().parse(made.body['url']));
    return opens((method, path, asked) => browser.ask(method, path, asked));
  },
  'POST /api/v1/sessions/:id/connect-link': async ({ key }) =>
    asScope('sessions', await byKey(key)('POST', `/api/v1/sessions/${acme.session.id}/connect-link`, {})),
  'POST /api/v1/webhooks/endpoints': async ({ key }) =>
    asScope('webhooks', await byKey(key)('POST', '/api/v1/webhooks/endpoints', { url: 'http://127.0.0.1:9/made' })),
  'POST /api/v1/webhooks/endpoints/:id/rotate-secret': async ({ key }) => {
    const path = `/api/v1/webhooks/endpoints/${String(endpoint.body['id'])}/rotate-secret`;
    return asScope('webhooks', await byKey(key)('POST', path, {}));
  },
  'PUT /api/v1/sessions/:id/webhooks': async ({ key }) => {
    const path = `/api/v1/sessions/${acme.session.id}/webhooks`;
    return asScope('webhooks', await byKey(key)('PUT', path, { url: 'http://127.0.0.1:9/session' }));
  },
  'PUT /api/v1/tenants/:tenantId/settings': async ({ key }) => {
    const body = { webhookUrl: 'http://127.0.0.1:9/tenant' };
    return asScope('webhooks', await byKey(key)('PUT', '/api/v1/tenants/t1/settings', body));
  },
  'POST /api/v1/files': async ({ key }) => {
    const file = Buffer.from(`a file ${(uploads += 1)}`);
    return asScope('send', await call(api, 'POST', '/api/v1/files?tenantId=t1', { key, file }));
  },
  'POST /api/v1/sessions/:id/pairing-code': async ({ key }) => {
    const path = `/api/v1/sessions/${acme.session.id}/pairing-code`;
    return ifLetIn('sessions', await byKey(key)('POST', path, { phone: '+15550170201' }));
  },
  'GET /api/v1/sessions/:id/qr': async ({ key }) =>
    ifLetIn('sessions', await byKey(key)('GET', `/api/v1/sessions/${acme.session.id}/qr`)),
  'POST /api/v1/automations/:automation/hook': async ({ key }) =>
    ifLetIn('ai:admin', await byKey(key)('POST', '/api/v1/automations/ask-satisfaction/hook', { tenantId: 't1' })),
  'POST /console/session': async ({ key }) => {
    const browser = new Browser(api);
    if ((await browser.login(key)).status !== 200) return null;
    return opens((method, path, asked) => browser.ask(method, path, asked));
  },
  // It takes the pre-shared key alone.
  'POST /v1/internal/dashboard/register': async ({ key }) => {
    const body = { agencyId: 'acme', dashboardName: 'x', dashboardUrl: 'http://127.0.0.1:9/', rotateKey: true };
    const asked = { ...body, webhookSecret: 'x'.repeat(40) };
    return opensAsKey(await byKey(key)('POST', '/v1/internal/dashboard/register', asked));
  },
};

async function opensAsKey({ status, body }: Answer): Promise<KeyScope[] | null> {
  return status >= 300 ? null : opens(byKey(Key.shape.apiKey.parse(body['apiKey'])));
}

function asScope(scope: KeyScope, { status }: Answer): KeyScope[] | null {
  return status >= 300 ? null : [scope];
}

/** The account is not at a backend here, so a request that is let in gets no code. */
function ifLetIn(scope: KeyScope, { status }: Answer): KeyScope[] | null {
  return status === 401 || status === 403 ? null : [scope];
}

/** Names of fields that are secret wherever they are in an answer. */
const SECRET_FIELDS = new Set(['apiKey', 'secret', 'webhookSecret', 'fileId', 'ticket', 'password']);
/** It sets a cookie, and is no route of the document. */
const OUTSIDE = ['POST /console/session'];

const Schema = z.looseObject({
  $ref: z.string().optional(),
  properties: z.record(z.string(), z.looseObject({})).default({}),
  anyOf: z.array(z.looseObject({})).default([]),
});
const Responses = z.record(
  z.string(),
  z.object({ content: z.record(z.string(), z.object({ schema: Schema.optional() })).default({}) }),
);
const document = z
  .object({
    paths: z.record(z.string(), z.record(z.string(), z.object({ responses: Responses }))),
    components: z.object({ schemas: z.record(z.string(), z.looseObject({})) }),
  })
  .parse(JSON.parse(JSON.stringify(createOpenApiDocument(routes))));

/** The names of the fields of an answer itself. */
function fieldsOf(schema: z.output<typeof Schema> | undefined): string[] {
  if (schema?.$ref !== undefined) {
    return fieldsOf(Schema.parse(document.components.schemas[schema.$ref.split('/').at(-1) ?? '']));
  }
  const parts = schema?.anyOf.map((part) => fieldsOf(Schema.parse(part))) ?? [];
  return [...Object.keys(schema?.properties ?? {}), ...parts.flat()];
}

/** Tells by its answers in the document that a route gives somebody a secret, or a code to scan or to type. */
function givesSecret({ method, path, auth, secrets }: (typeof routes)[number]): boolean {
  const responses = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.responses ?? {};
  const contents = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? Object.entries(content) : [],
  );
  const fields = contents.flatMap(([, { schema }]) => fieldsOf(schema));
  // A read shows no secret again, but the code of an account that connects.
  const isSecret = (name: string) => name === 'code' || (method !== 'GET' && SECRET_FIELDS.has(name));
  const isPicture = auth !== 'public' && contents.some(([type]) => type.startsWith('image/'));
  return secrets.length > 0 || fields.some(isSecret) || isPicture;
}

describe('a route that answers with a secret', () => {
  it('is tried here', () => {
    const named = routes.filter(givesSecret).map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(MAKES).toSorted()).toEqual([...named, ...OUTSIDE].toSorted());
  });

  it('gives nobody more than they have, whatever they ask for', async () => {
    const someScopes = fc.subarray([...KEY_SCOPES], { minLength: 1 });
    let made = 0;
    await fc.assert(
      fc.asyncProperty(someScopes, someScopes, async (own, scopes) => {
        const maker = await aDashboardKey(api, acme, { scopes: [...new Set([...own, 'keys'])] });
        const can = await opens(byKey(maker.apiKey));
        for (const [name, make] of Object.entries(MAKES)) {
          const opened = await make({ key: maker.apiKey, scopes });
          if (opened !== null) made += 1;
          expect([name, (opened ?? []).filter((scope) => !can.includes(scope))]).toEqual([name, []]);
        }
      }),
      { numRuns: howMany({ few: 6, all: 60 }), endOnFailure: true },
    );
    expect(made).toBeGreaterThan(0);
  });
});
