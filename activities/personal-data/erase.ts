import type { Database } from '../../db/engine/database.ts';
import { eraseMessages, erasePerson } from '../../db/personal-data/erase-person.ts';
import { recordFiles, takeErasedFiles } from '../../db/personal-data/erase-files.ts';
import { eraseRecords } from '../../db/personal-data/erase-records.ts';
import { findErasure, lockErasure } from '../../db/personal-data/erasure.ts';
import type { Erasure } from '../../db/personal-data/erasure.ts';
import type { Tx } from '../../db/engine/tx.ts';
import type { ErasureCounts, ErasureStep } from '../../domain/personal-data/erasure.ts';
import { thumbnailKey } from '../../domain/sending/media.ts';
import type { MediaStore } from '../../domain/sending/media.ts';
import { beating } from '../heartbeat.ts';

export type ErasureActivities = ReturnType<typeof createErasureActivities>;

/** The progress of an erasure, in ids and numbers. */
export interface ErasureRound {
  step: ErasureStep;
  waitsFor: string | null;
  counts: ErasureCounts;
}

/** One activity goes on for this long, so that the workflow shows how far it is. */
const ROUND_MS = 20_000;
const FILES = 100;

interface ErasureDependencies {
  database: Pick<Database, 'read' | 'transaction'>;
  media: { store: Pick<MediaStore, 'delete'> };
  stopping: AbortSignal;
}

export function createErasureActivities({ database, media, stopping }: ErasureDependencies) {
  /**
   * Goes on with an erasure until it is done, waits for something, or has worked for a while. Safe to repeat, and in two
   * workers at once: each batch locks the erasure and commits with its counts and its place.
   * Rows: erasure, erased_address, erased_file, contact, conversation, message, memory, ai_turn, event, backend_event.
   */
  async function eraseOn({ erasureId }: { erasureId: string }): Promise<ErasureRound> {
    return beating(async () => {
      const until = performance.now() + ROUND_MS;
      for (;;) {
        const erasure = await database.read((queries) => findErasure(queries, erasureId));
        const round = roundOf(erasure);
        if (erasure === null || round.step === 'done') return round;
        if (performance.now() >= until || stopping.aborted) return { ...round, waitsFor: null };
        if (erasure.step === 'files') await deleteFiles(erasure);
        else await database.transaction((tx) => eraseBatch(tx, erasureId));
        const after = roundOf(await database.read((queries) => findErasure(queries, erasureId)));
        if (after.waitsFor !== null) return after;
      }
    });
  }

  async function eraseBatch(tx: Tx, erasureId: string): Promise<void> {
    const erasure = await lockErasure(tx, erasureId);
    if (erasure?.step === 'messages') await eraseMessages(tx, erasure);
    else if (erasure?.step === 'person') await erasePerson(tx, erasure);
    else if (erasure?.step === 'records') await eraseRecords(tx, erasure);
  }

  /** The store is asked between two transactions: a file that is deleted again is gone already. */
  async function deleteFiles(erasure: Erasure): Promise<void> {
    const files = await database.transaction((tx) => takeErasedFiles(tx, erasure, FILES));
    for (const { key } of files.filter(({ isShared }) => !isShared)) {
      await media.store.delete(thumbnailKey(key));
      await media.store.delete(key);
    }
    await database.transaction(async (tx) => {
      const locked = await lockErasure(tx, erasure.id);
      if (locked?.step === 'files') await recordFiles(tx, locked, files);
    });
  }

  return { eraseOn };
}

function roundOf(erasure: Erasure | null): ErasureRound {
  return {
    step: erasure?.step ?? 'done',
    waitsFor: erasure?.waitsFor ?? null,
    counts: erasure?.report ?? {},
  };
}
