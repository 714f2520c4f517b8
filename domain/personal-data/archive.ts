import { z } from 'zod';

/*
 * The file of an export is a tar: every system can open it, and each part stands at a place that is known beforehand, so
 * that a download goes on anywhere.
 */

/** A part of the file: rows as NDJSON, a file of the tenant, or the manifest. */
export interface ArchiveEntry {
  name: string;
  sizeBytes: number;
}

export const MANIFEST = 'manifest.json';
/** A reader of another version refuses the file. */
export const ARCHIVE_FORMAT = 'messaging-engine-tenant/1';

export const BLOCK_BYTES = 512;
/** Two blocks of zeros end the file. */
export const TRAILER_BYTES = 2 * BLOCK_BYTES;

const MAX_SIZE_BYTES = 8 ** 11 - 1;

/** The name of the n-th part of rows. `what` is a table, or a column of it that is filled in later. */
export function rowsName(number: number, what: string): string {
  return `rows/${String(number).padStart(8, '0')}-${what}.ndjson`;
}

export function fileName(sha256: string, isThumbnail = false): string {
  return `files/${sha256}${isThumbnail ? '.webp' : ''}`;
}

/** Reads the kind of a part from its name. Null for a name that no export writes. */
export function readName(
  name: string,
): { rowsOf: string } | { sha256: string; isThumbnail: boolean } | { isManifest: true } | null {
  if (name === MANIFEST) return { isManifest: true };
  const [, rowsOf] = /^rows\/\d{8}-([a-z_.]{1,80})\.ndjson$/.exec(name) ?? [];
  if (rowsOf !== undefined) return { rowsOf };
  const [, sha256, suffix] = /^files\/([0-9a-f]{64})(\.webp)?$/.exec(name) ?? [];
  return sha256 === undefined ? null : { sha256, isThumbnail: suffix !== undefined };
}

/** The bytes that fill the last block of a part. */
export function paddingOf(sizeBytes: number): number {
  return (BLOCK_BYTES - (sizeBytes % BLOCK_BYTES)) % BLOCK_BYTES;
}

/** The bytes that a part takes with its head and its padding. */
export function bytesOf(sizeBytes: number): number {
  return BLOCK_BYTES + sizeBytes + paddingOf(sizeBytes);
}

const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  owner: [108, 8],
  group: [116, 8],
  size: [124, 12],
  time: [136, 12],
} as const;
const CHECKSUM = [148, 8] as const;

/** Writes the head of a part, as tar (ustar) has it. The same part always gets the same head. */
export function headOf({ name, sizeBytes }: ArchiveEntry): Buffer {
  if (sizeBytes > MAX_SIZE_BYTES) throw new Error('A part of a tar has less than 8 GiB.');
  const head = Buffer.alloc(BLOCK_BYTES);
  const put = ([at, length]: readonly [number, number], text: string): void =>
    void head.write(text, at, length, 'latin1');
  const octal = (value: number, [, length]: readonly [number, number]): string =>
    `${value.toString(8).padStart(length - 1, '0')}\0`;
  put(FIELDS.name, name);
  put(FIELDS.mode, octal(0o600, FIELDS.mode));
  put(FIELDS.owner, octal(0, FIELDS.owner));
  put(FIELDS.group, octal(0, FIELDS.group));
  put(FIELDS.size, octal(sizeBytes, FIELDS.size));
  put(FIELDS.time, octal(0, FIELDS.time));
  put([156, 1], '0');
  put([257, 8], 'ustar\u000000');
  put(CHECKSUM, `${sumOf(head).toString(8).padStart(6, '0')}\0 `);
  return head;
}

/** Reads the head of a part: null at the end of the file, undefined for what no export writes. */
export function readHead(head: Buffer): ArchiveEntry | null | undefined {
  if (head.every((byte) => byte === 0)) return null;
  const [at, length] = FIELDS.size;
  const name = head.toString('latin1', 0, head.indexOf(0));
  const sizeBytes = Number.parseInt(head.toString('latin1', at, at + length - 1), 8);
  const entry = { name, sizeBytes };
  if (!Number.isSafeInteger(sizeBytes) || readName(name) === null) return undefined;
  return headOf(entry).equals(head) ? entry : undefined;
}

/** The sum of the head's bytes, where those of the sum itself count as spaces. */
function sumOf(head: Buffer): number {
  const [at, length] = CHECKSUM;
  return head.reduce((sum, byte, index) => sum + (index >= at && index < at + length ? 0x20 : byte), 0);
}

/** The last part: what the file holds, and the digest over all parts before it. */
export const Manifest = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  tenantId: z.string(),
  exportedAt: z.iso.datetime(),
  parts: z.int(),
  chain: z.string().length(64),
  counts: z.record(z.string(), z.int()),
  files: z.int(),
  missingFiles: z.int(),
  /** The keys of the digests of erased addresses; older files have none. */
  erasedPeppers: z.array(z.string().regex(/^[0-9a-f]{64}$/)).optional(),
  /** The digest over all of the above. */
  seal: z.string(),
});
export type Manifest = z.infer<typeof Manifest>;

/** The file is not what an export has written, or this engine cannot take it. Nothing of it was read in. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
}
