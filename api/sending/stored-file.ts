import { createHash } from 'node:crypto';
import type { Database } from '../../db/engine/database.ts';
import { invalid } from '../../domain/error.ts';
import type { NetworkMedia } from '../../domain/network/network-event.ts';
import type { MediaKind } from '../../domain/sending/content.ts';
import { cleanFileName } from '../../domain/sending/file-name.ts';
import { checkMedia, mediaKey, mediaLimit } from '../../domain/sending/media.ts';
import type { TenantScope } from '../../domain/scope.ts';
import { putFile } from './put-file.ts';
import type { FileStoring } from './put-file.ts';

interface Means {
  database: Pick<Database, 'statement'>;
  fileStoring: FileStoring;
}

interface GivenFile {
  scope: TenantScope;
  kind: MediaKind;
  data: string;
  mimeType?: string | undefined;
  fileName?: string | undefined;
  /** The position of `data` in the body. */
  pointer: string;
}

/** Stores a file that a body brings as base64, as the engine stores one that it fetches. */
export async function storeFile(file: GivenFile, means: Means): Promise<NetworkMedia> {
  const { pointer, scope } = file;
  // Some clients send the address of the data instead of the data alone.
  const bytes = Buffer.from(file.data.replace(/^data:[^,]{0,255},/, ''), 'base64');
  const limit = mediaLimit(file.kind, means.fileStoring.maxBytes);
  if (bytes.length > limit) throw invalid({ pointer, message: `must have at most ${limit} bytes` });
  const named = { byTenant: file.mimeType ?? null, byServer: null, fileName: file.fileName ?? null };
  const checked = checkMedia(file.kind, bytes, named);
  if ('refused' in checked) throw invalid({ pointer, message: checked.refused });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const key = mediaKey(scope.agencyId, sha256);
  await putFile({ scope, key, sizeBytes: bytes.length, content: bytes, mimeType: checked.mimeType }, means);
  return {
    url: null,
    mimeType: checked.mimeType,
    fileName: cleanFileName(file.fileName ?? ''),
    error: null,
    stored: { key, sizeBytes: bytes.length, sha256 },
  };
}
