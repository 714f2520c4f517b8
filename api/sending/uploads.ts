import { z } from 'zod';
import { digestOf } from '../../adapters/backend/http/digest.ts';
import { holdUpload } from '../../db/media/keys.ts';
import { endUpload, listUploads } from '../../db/media/uploads.ts';
import { EngineError, invalid, notFound } from '../../domain/error.ts';
import { cleanFileName } from '../../domain/sending/file-name.ts';
import { checkUpload, mediaKey } from '../../domain/sending/media.ts';
import { UploadRef } from '../../domain/ids.ts';
import { Target } from '../../domain/scope.ts';
import { UPLOAD_KEPT_HOURS, UploadedFile, UploadName, UploadView } from '../../domain/sending/upload.ts';
import { defineRoute } from '../deps.ts';
import { NoContent } from '../wire/answer.ts';
import { NewestCursor } from '../wire/newest-cursor.ts';
import { HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';
import { FileBody } from '../wire/file-body.ts';
import { endOfMade, makerOf, makerSeenBy } from '../route/maker-seen.ts';
import { putFile, refuseOnLowDisk } from './put-file.ts';
import { nameOfUpload } from '../../db/media/upload-name.ts';
import { uploadIdOf } from './upload-ids.ts';

const KEPT_SECONDS = UPLOAD_KEPT_HOURS * 3_600;
/** Whoever names the file just before its id expires still finds it. */
const MARGIN_SECONDS = 3_600;

export const uploadRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/files',
    auth: 'tenant',
    scope: 'send',
    operationId: 'files.upload',
    summary: 'Upload a file to send',
    description:
      'Stores a file. The body is the file itself, up to `MEDIA_MAX_BYTES` (32 MiB), and `Content-Type` ' +
      'names its type.\n\nThe whole body must arrive within a minute. Attachments name the `fileId` of the ' +
      'response. The same file has the same `fileId` for every upload by one key, or by one console login, ' +
      'so a repeated upload does no harm. The id ends with the key or the login that uploaded it; messages ' +
      'that were accepted keep their files.',
    cost: 5,
    status: 201,
    query: z.strictObject({ ...Target, fileName: UploadName.optional() }),
    body: FileBody,
    reply: UploadedFile,
    errors: ['busy', 'unavailable', 'storage_limit', 'disk_low'],
    async handle({ scope, caller, query, body: file }, { database, fileStoring, uploads }) {
      const { agencyId, tenantId } = scope;
      const leave = await uploads.enter({ owner: `${agencyId}/${tenantId}`, agencyId });
      try {
        await refuseOnLowDisk(fileStoring);
        await using spool = await file.receive(fileStoring.maxBytes, uploads.pace);
        const { sha256, head } = await digestOf(spool);
        const checked = checkUpload(head, file.claimedType, query.fileName ?? null);
        if ('refused' in checked) throw invalid({ pointer: '', message: checked.refused });
        const key = mediaKey(agencyId, sha256);
        const upload = {
          sha256,
          sizeBytes: spool.sizeBytes,
          mimeType: checked.mimeType,
          fileName: cleanFileName(query.fileName ?? ''),
        };
        const maker = makerOf(caller);
        const fileId = uploadIdOf(database.secrets, scope, { ...upload, maker });
        const id = nameOfUpload(fileId);
        const { mimeType, sizeBytes } = upload;
        const now = database.clock.now();
        const expiresAt = endOfMade(caller, new Date(now.getTime() + KEPT_SECONDS * 1_000));
        const keptSeconds = Math.floor((expiresAt.getTime() - now.getTime()) / 1_000);
        const held = { maker, mimeType, keptSeconds };
        await putFile({ id, scope, key, sizeBytes, content: spool, mimeType, upload: held }, { database, fileStoring });
        if (!(await database.statement((tx) => holdUpload(tx, key, keptSeconds + MARGIN_SECONDS))))
          throw new EngineError('unavailable', 'The media store is deleting an identical file.');
        return {
          ...upload,
          id,
          fileId,
          expiresAt: expiresAt.toISOString(),
        };
      } finally {
        leave();
      }
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/files',
    auth: 'tenant',
    scope: 'send',
    operationId: 'files.list',
    summary: 'List uploads',
    description:
      "Returns uploads that messages may use, newest first. A dashboard's key sees those of the tenant; a session's " +
      'key and a link see their own.',
    query: z.strictObject({ ...Target, limit: Limit, cursor: nextPage(NewestCursor) }),
    reply: z.object({
      uploads: z.array(UploadView).meta({ description: 'The uploads on this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ scope, caller, query: { limit, cursor: after = null } }, { database }) {
      const asked = { maker: makerSeenBy(caller, 'send'), after, limit: limit + 1 };
      const found = await database.read((queries) => listUploads(queries, scope, asked));
      const { rows, ...page } = pageOf(found, limit, (last) => NewestCursor.encode(last));
      const uploads = rows.map(({ createdAt, expiresAt, ...upload }) => ({
        ...upload,
        createdAt: createdAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
      }));
      return { uploads, ...page };
    },
  }),

  defineRoute({
    method: 'DELETE',
    path: '/api/v1/files/:id',
    auth: 'tenant',
    scope: 'send',
    operationId: 'files.end',
    summary: 'End an upload',
    description:
      'New messages can no longer use the `fileId`. Messages that were accepted keep the file; if none uses it, it ' +
      'is deleted within the hour.',
    params: z.object({ id: UploadRef }),
    query: z.strictObject(Target),
    status: 204,
    reply: NoContent,
    errors: ['not_found'],
    async handle({ scope, caller, params: { id } }, { database }) {
      const maker = makerSeenBy(caller, 'send');
      if (!(await database.transaction((tx) => endUpload(tx, scope, { id, maker })))) throw notFound('upload');
      return undefined;
    },
  }),
];
