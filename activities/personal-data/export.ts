import { createHash } from 'node:crypto';
import type { Database } from '../../db/engine/database.ts';
import { holdFile } from '../../db/media/keys.ts';
import { endExport, findExport, lockExport } from '../../db/personal-data/export/export.ts';
import type { TenantExport } from '../../db/personal-data/export/export.ts';
import { listKnownNames, recordParts } from '../../db/personal-data/export/parts.ts';
import type { NewPart } from '../../db/personal-data/export/parts.ts';
import { exportedPeppers } from '../../db/personal-data/erased-pepper.ts';
import { readExportPage } from '../../db/personal-data/export/read-page.ts';
import type { NamedFile } from '../../db/personal-data/export/read-page.ts';
import { ARCHIVE_FORMAT, fileName, MANIFEST, rowsName } from '../../domain/personal-data/archive.ts';
import type { Manifest } from '../../domain/personal-data/archive.ts';
import { PEOPLE_PLACE } from '../../db/personal-data/export/walk.ts';
import { EXPORT_DAYS } from '../../domain/personal-data/export.ts';
import { mediaKey, thumbnailKey } from '../../domain/sending/media.ts';
import type { MediaStore } from '../../domain/sending/media.ts';
import { beating } from '../heartbeat.ts';
import { chainOf, sealOf } from './chain.ts';
import { createPeopleSteps } from './export-people.ts';

export type ExportActivities = ReturnType<typeof createExportActivities>;

/** The progress of an export, in numbers. */
export interface ExportRound {
  isOver: boolean;
  what: string | null;
  counts: Readonly<Record<string, number>>;
  files: number;
}

/** One activity goes on for this long, so that the workflow shows how far it is. */
const ROUND_MS = 20_000;
/** The store is asked for as many files at a time. */
const AT_ONCE = 8;

interface ExportDependencies {
  database: Pick<Database, 'read' | 'transaction' | 'statement'>;
  media: { store: Pick<MediaStore, 'put' | 'get'> };
  stopping: AbortSignal;
}

export function createExportActivities({ database, media: { store }, stopping }: ExportDependencies) {
  /**
   * Goes on with an export until it is done or has worked for a while. Safe to repeat, and in two workers at once: a page
   * is put into the store first, and its parts are written only where nobody has written them meanwhile.
   * Rows: tenant_export, tenant_export_part.
   */
  async function exportOn({ exportId }: { exportId: string }): Promise<ExportRound> {
    return beating(async () => {
      const until = performance.now() + ROUND_MS;
      for (;;) {
        const known = await database.read((queries) => findExport(queries, exportId));
        const round = roundOf(known);
        if (known === null || round.isOver || performance.now() >= until || stopping.aborted) return round;
        if (known.place === null) await end(known);
        else if (known.place.what === PEOPLE_PLACE.what) await people.putRight(known, known.place);
        else await writePage(known, known.place);
      }
    });
  }

  const people = createPeopleSteps({ database, put, get: (key) => read(key), takeFiles });

  async function writePage(known: TenantExport, place: NonNullable<TenantExport['place']>): Promise<void> {
    const page = await database.transaction((tx) => readExportPage(tx, known, place));
    const parts: NewPart[] = [];
    const counts: Record<string, number> = {};
    for (const { what, lines } of page.parts.filter((part) => part.lines.length > 0)) {
      const content = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      parts.push(await put(known, rowsName(known.parts + parts.length, what), content));
      counts[what] = lines.length;
    }
    const { found, missing } = await takeFiles(known, page.files);
    await record(known, [...parts, ...found], { counts, files: found.length, missingFiles: missing, next: page.next });
  }

  async function end(known: TenantExport): Promise<void> {
    const { tenantId, counts, files, missingFiles, parts, chain } = known;
    const exportedAt = known.createdAt.toISOString();
    const counted = {
      format: ARCHIVE_FORMAT,
      tenantId,
      exportedAt,
      parts,
      chain,
      counts,
      files,
      missingFiles,
    } as const;
    const peppers = await database.read((queries) => exportedPeppers(queries, known));
    const said = { ...counted, erasedPeppers: [...peppers] };
    const manifest: Manifest = { ...said, seal: sealOf(said) };
    const part = await put(known, MANIFEST, Buffer.from(`${JSON.stringify(manifest)}\n`));
    await record(known, [part], { counts: {}, files: 0, missingFiles: 0, next: null });
  }

  async function record(
    known: TenantExport,
    parts: readonly NewPart[],
    progress: Omit<Parameters<typeof recordParts>[2], 'parts' | 'chain'>,
  ): Promise<void> {
    const chain = parts.reduce(chainOf, known.chain);
    const isEnd = parts.at(-1)?.name === MANIFEST;
    await database.transaction(async (tx) => {
      const locked = await lockExport(tx, known.id);
      if (locked === null || locked.parts !== known.parts || !isSamePlace(locked, known)) return;
      await recordParts(tx, locked, { ...progress, parts, chain: isEnd ? known.chain : chain });
      if (isEnd) await endExport(tx, known.id, EXPORT_DAYS);
    });
  }

  async function put({ agencyId }: TenantExport, name: string, content: Buffer): Promise<NewPart> {
    const sha256 = createHash('sha256').update(content).digest('hex');
    const key = mediaKey(agencyId, sha256);
    await store.put(key, content, 'application/x-ndjson');
    return { name, key, sha256, sizeBytes: content.length };
  }

  /** Adds the files that the export does not have yet; those that the store has lost are counted. */
  async function takeFiles(
    known: TenantExport,
    files: readonly NamedFile[],
  ): Promise<{ found: NewPart[]; missing: number }> {
    const names = files.flatMap(({ sha256 }) => [fileName(sha256), fileName(sha256, true)]);
    const have = await database.read((queries) => listKnownNames(queries, known.id, names));
    const found = new Map<string, NewPart>();
    let missing = 0;
    for (let at = 0; at < files.length; at += AT_ONCE) {
      const taken = await Promise.all(files.slice(at, at + AT_ONCE).map((file) => takeFile(file, have)));
      missing += taken.filter((parts) => parts === null).length;
      for (const part of taken.flatMap((parts) => parts ?? [])) found.set(part.name, part);
    }
    return { found: [...found.values()], missing };
  }

  /** Holds the file until the export's row names it. Null for a file that is not there, or is being deleted. */
  async function takeFile(
    { key, sha256, sizeBytes, thumbnailBytes }: NamedFile,
    have: ReadonlySet<string>,
  ): Promise<NewPart[] | null> {
    const [name, small] = [fileName(sha256), fileName(sha256, true)];
    const parts: NewPart[] = [];
    if (!have.has(name)) {
      if (!(await database.statement((tx) => holdFile(tx, key)))) return null;
      if ((await read(key, { first: 0, last: 0 })) === null) return null;
      parts.push({ name, key, sha256, sizeBytes });
    }
    const thumbnail = thumbnailBytes === null || have.has(small) ? null : await read(thumbnailKey(key));
    if (thumbnail === null) return parts;
    const digest = createHash('sha256').update(thumbnail).digest('hex');
    return [...parts, { name: small, key: thumbnailKey(key), sha256: digest, sizeBytes: thumbnail.length }];
  }

  async function read(key: string, range?: { first: number; last: number }): Promise<Buffer | null> {
    const bytes = await store.get(key, range);
    if (bytes === null) return null;
    const pieces: Buffer[] = [];
    for await (const piece of bytes) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces);
  }

  return { exportOn };
}

function isSamePlace(locked: TenantExport, known: TenantExport): boolean {
  return JSON.stringify(locked.place) === JSON.stringify(known.place);
}

function roundOf(known: TenantExport | null): ExportRound {
  return {
    isOver: known === null || known.endedAt !== null || known.goneReason !== null,
    what: known?.place?.what ?? null,
    counts: known?.counts ?? {},
    files: known?.files ?? 0,
  };
}
