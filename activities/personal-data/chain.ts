import { createHash } from 'node:crypto';
import type { Manifest } from '../../domain/personal-data/archive.ts';

/** Continues the digest over all parts of an export's file by one: a part that is missing or changed changes it. */
export function chainOf(chain: string, part: { name: string; sizeBytes: number; sha256: string }): string {
  return createHash('sha256').update(`${chain}\n${part.name}\n${part.sizeBytes}\n${part.sha256}`).digest('hex');
}

/** The digest over a manifest, by which a changed one is known. */
export function sealOf(manifest: Omit<Manifest, 'seal'>): string {
  const { format, tenantId, exportedAt, parts, chain, counts, files, missingFiles, erasedPeppers } = manifest;
  const said = [
    format,
    tenantId,
    exportedAt,
    parts,
    chain,
    counts,
    files,
    missingFiles,
    ...(erasedPeppers === undefined ? [] : [erasedPeppers]),
  ];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}
