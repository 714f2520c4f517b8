import { HEAD_BYTES } from '../../adapters/backend/http/digest.ts';
import type { Database } from '../../db/engine/database.ts';
import { makerWorks } from '../../db/tenants/credentials.ts';
import { isEndedUpload } from '../../db/media/uploads.ts';
import { holdUpload } from '../../db/media/keys.ts';
import { invalid } from '../../domain/error.ts';
import type { NetworkMedia } from '../../domain/network/network-event.ts';
import type { TenantScope } from '../../domain/scope.ts';
import type { MediaKind } from '../../domain/sending/content.ts';
import { cleanFileName } from '../../domain/sending/file-name.ts';
import { checkMedia, mediaKey, mediaLimit } from '../../domain/sending/media.ts';
import type { FileStoring } from './put-file.ts';
import { nameOfUpload } from '../../db/media/upload-name.ts';
import { readUploadId } from './upload-ids.ts';

interface NamedFile {
  scope: TenantScope;
  kind: MediaKind;
  fileId: string;
  /** The request may call the file otherwise than whoever uploaded it. */
  mimeType?: string | undefined;
  fileName?: string | undefined;
  /** The position of the id in the body. */
  pointer: string;
}

interface Means {
  database: Database;
  fileStoring: FileStoring;
}

/** Finds a file that was uploaded before, and holds it until the message names it. */
export async function uploadedFile(
  { scope, kind, fileId, mimeType, fileName, pointer }: NamedFile,
  { database, fileStoring: { store, maxBytes } }: Means,
): Promise<NetworkMedia> {
  const unknown = {
    pointer,
    message: 'is not a file of the tenant, or is no longer kept: upload it again',
  };
  const upload = readUploadId(database.secrets, scope, fileId);
  if (!upload) throw invalid(unknown);
  const { sha256, sizeBytes, maker } = upload;
  if (await database.read((queries) => isEndedUpload(queries, nameOfUpload(fileId)))) throw invalid(unknown);
  if (maker !== null && !(await database.read((queries) => makerWorks(queries, maker)))) throw invalid(unknown);
  const limit = mediaLimit(kind, maxBytes);
  if (sizeBytes > limit) throw invalid({ pointer, message: `must have at most ${limit} bytes as ${kind}` });
  const key = mediaKey(scope.agencyId, sha256);
  // Held before it is looked for: the clean-up cannot delete it between the two. An erasure of its bytes comes first.
  const isHeld = await database.statement((tx) => holdUpload(tx, key));
  const found = isHeld ? await store.get(key, { first: 0, last: Math.min(sizeBytes, HEAD_BYTES) - 1 }) : null;
  if (!found) throw invalid(unknown);
  const name = fileName ?? upload.fileName;
  const named = { byTenant: mimeType ?? null, byServer: upload.mimeType, fileName: name };
  const checked = checkMedia(kind, await bytesOf(found), named);
  if ('refused' in checked) throw invalid({ pointer, message: checked.refused });
  return {
    url: null,
    mimeType: checked.mimeType,
    fileName: cleanFileName(name ?? ''),
    error: null,
    stored: { key, sizeBytes, sha256 },
  };
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const chunk of chunks) pieces.push(chunk);
  return Buffer.concat(pieces);
}
