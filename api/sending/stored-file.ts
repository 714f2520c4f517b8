import { createHash } from 'node:crypto';
import { invalid } from '../../domain/error.ts';
import type { NetworkMedia } from '../../domain/network/network-event.ts';
import type { MediaKind } from '../../domain/sending/content.ts';
import { cleanFileName } from '../../domain/sending/file-name.ts';
import { checkMedia, mediaKey, mediaLimit } from '../../domain/sending/media.ts';
import type { MediaStore } from '../../domain/sending/media.ts';

export interface FileStoring {
  store: MediaStore;
  maxBytes: number;
}

interface GivenFile {
  agencyId: string;
  kind: MediaKind;
  data: string;
  mimeType?: string | undefined;
  fileName?: string | undefined;
  /** Where `data` stands in the body. */
  pointer: string;
}

/** Stores a file that a body brings as base64, as the engine stores one that it fetches. */
export async function storeFile(file: GivenFile, { store, maxBytes }: FileStoring): Promise<NetworkMedia> {
  const { pointer } = file;
  // Some clients send the address of the data instead of the data alone.
  const bytes = Buffer.from(file.data.replace(/^data:[^,]{0,255},/, ''), 'base64');
  const limit = mediaLimit(file.kind, maxBytes);
  if (bytes.length > limit) throw invalid({ pointer, message: `must have at most ${limit} bytes` });
  const named = { byTenant: file.mimeType ?? null, byServer: null, fileName: file.fileName ?? null };
  const checked = checkMedia(file.kind, bytes, named);
  if ('refused' in checked) throw invalid({ pointer, message: checked.refused });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const key = mediaKey(file.agencyId, sha256);
  await store.put(key, bytes, checked.mimeType);
  return {
    url: null,
    mimeType: checked.mimeType,
    fileName: cleanFileName(file.fileName ?? ''),
    error: null,
    stored: { key, sizeBytes: bytes.length, sha256 },
  };
}
