import { EngineError } from '../error.ts';

/** The tenant or the agency whose limit of stored bytes is reached. */
export type StorageOwner = 'tenant' | 'agency';

/** The disk of the media store; null where its space is not known. */
export type MediaDisk = { freeShare: () => Promise<number>; minFreeShare: number } | null;

export function storageFull(of: StorageOwner): EngineError {
  return new EngineError(
    'storage_limit',
    `The ${of} has reached its limit of stored bytes: delete uploads and exports, set mediaRetentionDays, or ask the ` +
      'operator for more.',
  );
}
