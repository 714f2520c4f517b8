import { z } from 'zod';
import { digestOf } from '../../backend/http/digest.ts';
import { holdUpload } from '../../db/media/keys.ts';
import { EngineError, invalid } from '../../domain/error.ts';
import { cleanFileName } from '../../domain/sending/file-name.ts';
import { checkUpload, mediaKey } from '../../domain/sending/media.ts';
import { Target } from '../../domain/scope.ts';
import { UPLOAD_KEPT_HOURS, UploadedFile, UploadName } from '../../domain/sending/upload.ts';
import { defineRoute } from '../deps.ts';
import { FileBody } from '../wire/file-body.ts';
import { putFile, refuseOnLowDisk } from './put-file.ts';
import { nameOfUpload, uploadIdOf } from './upload-ids.ts';

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
      'Stores a file. The body is the file itself, up to `MEDIA_MAX_BYTES` (32 MiB), and `Content-Type` names its ' +
      'type. The whole body must arrive within a minute. Attachments name the `fileId` of the response. The same ' +
      'file has the same `fileId` for every upload with one key, so a repeated upload does no harm. The id ends with ' +
      'the key that uploaded it; messages that were accepted keep their files.',
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
        const fileId = uploadIdOf(database.secrets, scope, { ...upload, maker: caller.keyId });
        const id = nameOfUpload(fileId);
        const { mimeType, sizeBytes } = upload;
        const held = { maker: caller.keyId, mimeType, keptSeconds: KEPT_SECONDS };
        await putFile({ id, scope, key, sizeBytes, content: spool, mimeType, upload: held }, { database, fileStoring });
        if (!(await database.statement((tx) => holdUpload(tx, key, KEPT_SECONDS + MARGIN_SECONDS))))
          throw new EngineError('unavailable', 'The media store is deleting an identical file.');
        return {
          ...upload,
          id,
          fileId,
          expiresAt: new Date(Date.now() + KEPT_SECONDS * 1_000).toISOString(),
        };
      } finally {
        leave();
      }
    },
  }),
];
