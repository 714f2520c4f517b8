import type { Database } from '../../db/engine/database.ts';
import { newId } from '../../db/engine/new-id.ts';
import { releaseStorage, reserveStorage } from '../../db/media/storage.ts';
import type { Reservation } from '../../db/media/storage.ts';
import { EngineError } from '../../domain/error.ts';
import type { FileContent, MediaStore } from '../../domain/sending/media.ts';
import { storageFull } from '../../domain/tenants/storage.ts';
import type { MediaDisk } from '../../domain/tenants/storage.ts';

export interface FileStoring {
  store: MediaStore;
  maxBytes: number;
  disk: MediaDisk;
}

interface Means {
  database: Pick<Database, 'statement'>;
  fileStoring: FileStoring;
}

interface NewFile extends Omit<Reservation, 'id'> {
  /** The id of an upload; a repeated upload has the same. */
  id?: string;
  content: Uint8Array | FileContent;
  mimeType: string;
}

/** Refuses files before they come while the disk is almost full: PostgreSQL may be on it, too. */
export async function refuseOnLowDisk({ disk }: Pick<FileStoring, 'disk'>): Promise<void> {
  if (disk === null || disk.minFreeShare === 0 || (await disk.freeShare()) >= disk.minFreeShare) return;
  throw new EngineError(
    'disk_low',
    'The disk of the engine is almost full: retry later, or report it to its operator.',
    {
      headers: { 'retry-after': '300' },
    },
  );
}

/** Puts a client's file into the store, if the tenant and its agency have room for it. */
export async function putFile(file: NewFile, { database, fileStoring }: Means): Promise<void> {
  const { content, mimeType, ...reserved } = file;
  await refuseOnLowDisk(fileStoring);
  const id = file.id ?? newId('upl');
  const full = await database.statement((tx) => reserveStorage(tx, { ...reserved, id }));
  if (full !== null) throw storageFull(full);
  try {
    await fileStoring.store.put(reserved.key, content, mimeType);
  } catch (error) {
    await database.statement((tx) => releaseStorage(tx, id));
    throw error;
  }
}
