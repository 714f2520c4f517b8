import { createHash } from 'node:crypto';
import type { Database } from '../../db/engine/database.ts';
import { sqlState } from '../../db/engine/database.ts';
import { ROWS_OF } from '../../db/personal-data/export/walk.ts';
import type { ExportStep } from '../../db/personal-data/export/walk.ts';
import { beginImport, lockImport, recordImport } from '../../db/personal-data/import/import.ts';
import type { TenantImport } from '../../db/personal-data/import/import.ts';
import { takePeppers } from '../../db/personal-data/erased-pepper.ts';
import { findTaken } from '../../db/personal-data/import/meanwhile.ts';
import type { Taken } from '../../db/personal-data/import/meanwhile.ts';
import { checkRows, writeRows } from '../../db/personal-data/import/write-rows.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { ImportRefused, Manifest, readName } from '../../domain/personal-data/archive.ts';
import type { TenantScope } from '../../domain/scope.ts';
import { mediaKey, thumbnailKey } from '../../domain/sending/media.ts';
import type { MediaStore } from '../../domain/sending/media.ts';
import type { ArchiveFile, PlacedEntry } from './archive-file.ts';
import { chainOf, sealOf } from './chain.ts';

interface ImportDependencies {
  database: Pick<Database, 'read' | 'transaction'>;
  store: Pick<MediaStore, 'put'>;
}

/** An export writes far smaller parts of rows. */
const MAX_ROWS_BYTES = 256 * 1_048_576;

/**
 * Reads the file of an export into a tenant that has nothing. The whole file is looked through first, so that one that
 * is cut off or changed writes nothing. Run again with the same file, it goes on where it stopped: what is read in is
 * recorded in the transaction that writes it.
 */
export async function importTenant(
  { database, store }: ImportDependencies,
  file: ArchiveFile,
  scope: TenantScope,
): Promise<TenantImport & { manifest: Manifest }> {
  const { manifest, sessions } = await lookThrough(database, file);
  const { chain, erasedPeppers = [] } = manifest;
  let known = await database.transaction(async (tx) => {
    const begun = await beginImport(tx, scope, { chain, sessions });
    if (erasedPeppers.length > 0) await takePeppers(tx, scope, erasedPeppers);
    return begun;
  });
  if (known.endedAt !== null) return { ...known, manifest };
  const taken = new Map<string, string>();
  const from = known.position;
  for await (const entry of file.entries(0)) {
    const name = nameOf(entry);
    const isOfTalks = 'rowsOf' in name && name.rowsOf === 'conversation';
    const isNew = entry.next > from;
    if (!isNew && !isOfTalks) continue;
    if (isNew && 'sha256' in name) await putFile({ store, file, scope }, entry, name);
    const lines = 'rowsOf' in name ? await linesOf(file, entry) : [];
    if (isNew) known = await database.transaction((tx) => writePart(tx, scope, { entry, lines, taken }));
    // A run that goes on finds again which conversations were made here meanwhile.
    if (isOfTalks)
      for (const [id, talk] of await database.read((queries) => findTaken(queries, scope, lines))) taken.set(id, talk);
  }
  return { ...known, manifest };
}

/** Writes one part, unless another run has written it. */
async function writePart(
  tx: Tx,
  scope: TenantScope,
  { entry, lines, taken: instead }: { entry: PlacedEntry; lines: readonly string[]; taken: Taken },
): Promise<TenantImport> {
  const known = await lockImport(tx, scope);
  if (known === null) throw new ImportRefused('The tenant was deleted in the meantime.');
  if (known.position >= entry.next) return known;
  const name = nameOf(entry);
  const position = entry.next;
  if ('rowsOf' in name) {
    const step = stepOf(name.rowsOf);
    const taken = await writeRows(tx, scope, { step, lines, taken: instead });
    await recordImport(tx, scope, { known, position, what: name.rowsOf, taken, leftOut: lines.length - taken });
  } else {
    const isEnd = 'isManifest' in name;
    await recordImport(tx, scope, { known, position, files: isEnd ? 0 : 1, isEnd });
  }
  return (await lockImport(tx, scope)) ?? known;
}

/** Reads the whole file without writing anything: every part is there as the export has written it, and can be read in. */
async function lookThrough(
  database: ImportDependencies['database'],
  file: ArchiveFile,
): Promise<{ manifest: Manifest; sessions: string[] }> {
  let chain = '';
  let parts = 0;
  let manifest: Manifest | null = null;
  const sessions: string[] = [];
  let otherRows: ImportRefused | null = null;
  for await (const entry of file.entries(0)) {
    if (manifest !== null) throw new ImportRefused('Data was added after the end of the export.');
    const name = nameOf(entry);
    if ('isManifest' in name) {
      manifest = await manifestOf(file, entry);
      continue;
    }
    const sha256 = await digestOf(file, entry);
    if ('sha256' in name && !name.isThumbnail && name.sha256 !== sha256) throw changed(entry);
    chain = chainOf(chain, { ...entry, sha256 });
    parts += 1;
    if ('rowsOf' in name) {
      const lines = await linesOf(file, entry);
      otherRows ??= await findOtherRows(database, entry, { what: name.rowsOf, lines });
      if (name.rowsOf === 'session') sessions.push(...lines);
    }
  }
  if (manifest === null) throw new ImportRefused('The file has no end. Download the rest of it.');
  if (manifest.chain !== chain || manifest.parts !== parts || manifest.seal !== sealOf(manifest)) {
    throw new ImportRefused('Parts of the file are missing or were changed. Download it again.');
  }
  // A change comes first, because it may be all that is wrong with the rows.
  if (otherRows !== null) throw otherRows;
  return { manifest, sessions };
}

/** Says why rows cannot be read in by this release; null when they can. */
async function findOtherRows(
  database: ImportDependencies['database'],
  entry: PlacedEntry,
  { what, lines }: { what: string; lines: readonly string[] },
): Promise<ImportRefused | null> {
  const step = ROWS_OF.get(what);
  if (step === undefined) return new ImportRefused(`This release has no ${what}. Import the file by a newer one.`);
  try {
    const unknown = await database.read((queries) => checkRows(queries, step, lines));
    if (unknown.length === 0) return null;
    const names = unknown.join(', ');
    return new ImportRefused(`This release does not know ${names} of ${what}. Import the file by a newer one.`);
  } catch (error) {
    // 22… says that the values are no values of the table.
    if (sqlState(error)?.startsWith('22') === true) return changed(entry);
    throw error;
  }
}

async function putFile(
  { store, file, scope }: { store: Pick<MediaStore, 'put'>; file: ArchiveFile; scope: TenantScope },
  entry: PlacedEntry,
  { sha256, isThumbnail }: { sha256: string; isThumbnail: boolean },
): Promise<void> {
  const key = mediaKey(scope.agencyId, sha256);
  if (!isThumbnail) {
    const content = { sizeBytes: entry.sizeBytes, chunks: () => file.chunks(entry) };
    return store.put(key, content, 'application/octet-stream');
  }
  return store.put(thumbnailKey(key), await bytesOf(file, entry), 'image/webp');
}

function nameOf({ name }: PlacedEntry): NonNullable<ReturnType<typeof readName>> {
  const said = readName(name);
  if (said === null) throw new ImportRefused(`${name} is not part of an export.`);
  return said;
}

function stepOf(what: string): ExportStep {
  const step = ROWS_OF.get(what);
  if (step === undefined) throw new Error(`No export has ${what}.`);
  return step;
}

async function manifestOf(file: ArchiveFile, entry: PlacedEntry): Promise<Manifest> {
  const read = Manifest.safeParse(parseJson(await bytesOf(file, entry)));
  if (!read.success) throw new ImportRefused('The manifest of the file is of another release, or was changed.');
  return read.data;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}

async function linesOf(file: ArchiveFile, entry: PlacedEntry): Promise<string[]> {
  const text = (await bytesOf(file, entry)).toString();
  return text.split('\n').filter((line) => line !== '');
}

async function bytesOf(file: ArchiveFile, entry: PlacedEntry): Promise<Buffer> {
  if (entry.sizeBytes > MAX_ROWS_BYTES) throw changed(entry);
  const pieces: Buffer[] = [];
  for await (const piece of file.chunks(entry)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

async function digestOf(file: ArchiveFile, entry: PlacedEntry): Promise<string> {
  const digest = createHash('sha256');
  for await (const piece of file.chunks(entry)) digest.update(piece);
  return digest.digest('hex');
}

function changed({ name }: PlacedEntry): ImportRefused {
  return new ImportRefused(`${name} was changed. Download the file again.`);
}
