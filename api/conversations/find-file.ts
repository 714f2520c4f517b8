import { findMessageById } from '../../db/conversations/message.ts';
import { findPicture, readAccountPicture } from '../../db/conversations/picture.ts';
import { isErasedFile } from '../../db/personal-data/erase-files.ts';
import type { Queries } from '../../db/engine/tx.ts';
import type { ServedFile } from './served-file.ts';

/** Finds what is served at `/media`: the file of a message, or the picture of a contact or an account in the same form. */
export async function findFile(queries: Queries, id: string): Promise<ServedFile | null> {
  const found = await findServed(queries, id);
  if (found !== null || !(await isErasedFile(queries, id))) return found;
  const media = { url: null, mimeType: null, fileName: null, error: 'media_erased' };
  return { sessionId: id, kind: 'other', media };
}

async function findServed(queries: Queries, id: string): Promise<ServedFile | null> {
  if (!id.startsWith('con_') && !id.startsWith('ses_')) return findMessageById(queries, id);
  const stored = id.startsWith('con_')
    ? await findPicture(queries, id)
    : ((await readAccountPicture(queries, id))?.picture ?? null);
  if (stored === null) return null;
  const media = { url: null, mimeType: stored.mimeType, fileName: null, error: null, stored };
  return { sessionId: id, kind: 'image', media, mayChange: true };
}
