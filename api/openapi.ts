import { createDocument } from 'zod-openapi';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import type { Method, Route } from './route/route.ts';

const DESCRIPTION = `Connects messaging accounts to dashboards.

Send \`X-API-Key\` with every call. A key that belongs to one session needs no \`agencyId\` and \`tenantId\`; a
dashboard's key names the tenant in body or query, the master key both. Errors are \`application/problem+json\` with a
stable \`code\`; each has a page under \`/docs/errors\`.

A few reads that the engine does not know itself are passed on to the messaging backend for the caller's own session:
chats, contacts, labels, lids, groups, presence and profile under \`GET /api/v1/{session}/\`.`;

const OPERATION_KEYS = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
} as const satisfies Record<Method, string>;

/** Makes the OpenAPI document of the routes. It does not depend on where the engine runs, so it can be committed. */
export function createOpenApiDocument<Deps>(routes: readonly Route<Deps>[]) {
  const paths: ZodOpenApiPathsObject = {};
  for (const { method, path, operation } of routes) {
    const key = path.replaceAll(/:(\w+)/g, '{$1}');
    const item = (paths[key] ??= {});
    if (item[OPERATION_KEYS[method]] !== undefined) throw new Error(`${method} ${path} is declared twice.`);
    item[OPERATION_KEYS[method]] = operation;
  }
  return createDocument({
    openapi: '3.1.1',
    info: { title: 'Messaging automation engine', version: '1', description: DESCRIPTION },
    servers: [{ url: '/' }],
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        psk: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'PSK <secret>' },
      },
    },
    paths,
  });
}
