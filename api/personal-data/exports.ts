import { z } from 'zod';
import { findFullStorage } from '../../db/media/storage.ts';
import { storageFull } from '../../domain/tenants/storage.ts';
import { beginExport, findExportOf, listExports, takeBackExport } from '../../db/personal-data/export/export.ts';
import type { TenantExport } from '../../db/personal-data/export/export.ts';
import { recordChange } from '../../db/audit.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { ExportId } from '../../domain/ids.ts';
import { TRAILER_BYTES } from '../../domain/personal-data/archive.ts';
import { EXPORT_DAYS, EXPORT_GONE_TEXTS, ExportView } from '../../domain/personal-data/export.ts';
import { AgencyField, ExternalId, Target } from '../../domain/scope.ts';
import { rangeOf } from '../conversations/served-file.ts';
import { answer, NoContent, Streamed } from '../wire/answer.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { cursorOf, HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';
import { defineRoute } from '../deps.ts';
import { actingAs } from '../route/caller.ts';

const Cursor = cursorOf<string>({ read: (text) => (text.startsWith('exp_') ? text : undefined), write: (id) => id });

const Tenant = ExternalId.meta({ description: "The tenant's id, as the agency chose it.", examples: ['shop'] });
const ofTenant = z.object({ tenantId: Tenant });
const ofExport = z.object({ tenantId: Tenant, id: ExportId });
const query = z.object({ agencyId: AgencyField });

export const exportRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/tenants/:tenantId/exports',
    auth: 'tenant',
    dashboardOnly: true,
    cost: 50,
    scope: 'admin:read',
    operationId: 'exports.create',
    location: 'The export.',
    summary: 'Export all data of a tenant',
    description:
      'Exports all data of the tenant to one file. It omits secrets and keys.\n\nThe file has rows as NDJSON ' +
      'and the files of messages. The export runs in the background and survives a stop of the engine: ' +
      'poll `Location`. While one is in progress, a second request returns the same export. Messages that ' +
      `arrive after the request are not included. The file is kept for ${EXPORT_DAYS} days, but not once a ` +
      'person of the tenant is erased.',
    params: ofTenant,
    body: z.strictObject({
      ...Target,
      actor: z
        .string()
        .min(1)
        .max(128)
        .optional()
        .meta({ description: 'The person who requests it, 1 to 128 characters.' }),
    }),
    status: 202,
    reply: ExportView,
    idempotent: true,
    errors: ['not_found', 'forbidden', 'storage_limit'],
    async handle({ scope, caller, body, commit }) {
      const { keyId } = caller;
      const actor = actingAs(caller, body.actor);
      return commit.transaction(async (tx) => {
        const full = await findFullStorage(tx, scope);
        if (full !== null) throw storageFull(full);
        const begun = await beginExport(tx, scope, keyId);
        if (begun === null) throw notFound('tenant');
        const { found, isNew } = begun;
        if (isNew) {
          const change = { of: scope, object: 'export', objectId: found.id, action: 'created' } as const;
          await recordChange(tx, change, { keyId, actor });
        }
        return answer(202, toView(found), { location: pathOf(found) });
      });
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/tenants/:tenantId/exports',
    auth: 'tenant',
    dashboardOnly: true,
    scope: 'admin:read',
    operationId: 'exports.list',
    summary: 'List the exports of a tenant',
    description: 'Returns the newest first, including those whose file is no longer kept.',
    params: ofTenant,
    query: query.extend({ limit: Limit, cursor: nextPage(Cursor) }),
    reply: z.object({
      exports: z.array(ExportView).meta({ description: 'The exports on this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    errors: ['forbidden'],
    async handle({ scope, query: { limit, cursor: before = null } }, { database }) {
      const found = await database.read((queries) => listExports(queries, scope, { before, limit: limit + 1 }));
      const { rows, ...page } = pageOf(found, limit, ({ id }) => Cursor.encode(id));
      return { exports: rows.map(toView), ...page };
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/tenants/:tenantId/exports/:id',
    auth: 'tenant',
    dashboardOnly: true,
    scope: 'admin:read',
    operationId: 'exports.read',
    summary: "Read an export's progress",
    params: ofExport,
    query,
    reply: ExportView,
    errors: ['not_found', 'forbidden'],
    async handle({ scope, params: { id } }, { database }) {
      const found = await database.read((queries) => findExportOf(queries, scope, id));
      if (found === null) throw notFound('export');
      return toView(found);
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/tenants/:tenantId/exports/:id/file',
    auth: 'tenant',
    dashboardOnly: true,
    cost: 20,
    scope: 'admin:read',
    operationId: 'exports.download',
    summary: 'Download the file of an export',
    description:
      'A tar archive with rows, files and a manifest. Resume an interrupted download with `Range`.\n\n' +
      '`rows/…-<table>.ndjson` has one row per line, `files/<sha256>` the files. `manifest.json` at the ' +
      'end lets the import detect changes. Every download returns the same bytes.',
    headers: z.object({
      Range: z
        .string()
        .optional()
        .meta({ description: 'The requested bytes.', examples: ['bytes=1048576-'] }),
    }),
    params: ofExport,
    query,
    reply: z.string().meta({ description: 'The file. Its type is `application/x-tar`.' }),
    isFile: true,
    contentTypes: { 'application/x-tar': 'The file.' },
    statuses: { 206: 'The bytes that `Range` requests.', 416: 'The file has no such bytes.' },
    errors: ['not_found', 'forbidden', 'export_not_ready', 'export_gone', 'busy'],
    async handle({ scope, params: { id }, request }, { database, exportFiles }) {
      const found = await database.read((queries) => findExportOf(queries, scope, id));
      if (found === null) throw notFound('export');
      if (found.goneReason !== null) {
        throw new EngineError('export_gone', EXPORT_GONE_TEXTS[found.goneReason], { reason: found.goneReason });
      }
      if (found.endedAt === null) {
        throw new EngineError(
          'export_not_ready',
          'The export is still running. Request the file when its status is done.',
          {
            headers: { 'retry-after': '5' },
          },
        );
      }
      return download(
        found,
        request,
        (range) => (stream) =>
          exportFiles.serve({ exportId: id, agencyId: scope.agencyId, range, signal: request.signal }, stream),
      );
    },
  }),

  defineRoute({
    method: 'DELETE',
    path: '/api/v1/tenants/:tenantId/exports/:id',
    auth: 'tenant',
    dashboardOnly: true,
    scope: 'admin:read',
    operationId: 'exports.delete',
    summary: 'Delete the file of an export',
    description: 'Also ends an export that is in progress. Its entry in the list stays as proof that it existed.',
    params: ofExport,
    query,
    status: 204,
    reply: NoContent,
    errors: ['not_found', 'forbidden'],
    async handle({ scope, caller, params: { id } }, { database }) {
      await database.transaction(async (tx) => {
        if (!(await takeBackExport(tx, scope, id))) throw notFound('export');
        await recordChange(tx, { of: scope, object: 'export', objectId: id, action: 'deleted' }, caller);
      });
      return undefined;
    },
  }),
];

/** Answers the whole file, or the range of it that the request asks for. */
function download(
  found: TenantExport,
  request: { header(name: string): string | undefined },
  serve: (range: { first: number; last: number }) => Streamed['write'],
): Streamed {
  const sizeBytes = sizeOf(found);
  const etag = `"${found.chain}"`;
  const headers = {
    'content-type': 'application/x-tar',
    'content-disposition': `attachment; filename="${found.id}.tar"`,
    'accept-ranges': 'bytes',
    etag,
  };
  const isSame = (request.header('if-range') ?? etag) === etag;
  const range = isSame ? rangeOf(request.header('range') ?? '', sizeBytes) : undefined;
  if (range === 'unsatisfiable') {
    const nothing = { ...headers, 'content-range': `bytes */${sizeBytes}`, 'content-length': '0' };
    return new Streamed(
      async ({ response, opened }) => {
        opened();
        response.end();
      },
      { status: 416, headers: nothing },
    );
  }
  const { first, last } = range ?? { first: 0, last: sizeBytes - 1 };
  const part = range ? { 'content-range': `bytes ${first}-${last}/${sizeBytes}` } : {};
  return new Streamed(serve({ first, last }), {
    status: range ? 206 : 200,
    headers: { ...headers, ...part, 'content-length': String(last - first + 1) },
  });
}

const pathOf = ({ tenantId, id }: TenantExport): string => `/api/v1/tenants/${tenantId}/exports/${id}`;

const sizeOf = ({ sizeBytes, endedAt }: TenantExport): number => sizeBytes + (endedAt === null ? 0 : TRAILER_BYTES);

function toView(found: TenantExport): z.input<typeof ExportView> {
  const { id, tenantId, goneReason, counts, files, missingFiles, createdAt, endedAt, expiresAt } = found;
  const status = goneReason === null ? (endedAt === null ? 'running' : 'done') : 'gone';
  return {
    id,
    tenantId,
    status,
    goneReason,
    counts,
    files,
    missingFiles,
    sizeBytes: sizeOf(found),
    downloadUrl: status === 'done' ? `${pathOf(found)}/file` : null,
    createdAt: createdAt.toISOString(),
    endedAt: isoOrNull(endedAt),
    expiresAt: isoOrNull(expiresAt),
  };
}
