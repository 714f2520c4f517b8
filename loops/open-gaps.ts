import type { Database } from '../db/engine/database.ts';
import { openGapsOfWorking } from '../db/sessions/receiving.ts';
import type { GapCause, Window } from '../domain/sessions/gap.ts';

/**
 * Opens a gap for each session that should have been heard, page by page. Safe to repeat: a gap that is there already is
 * widened, and not opened twice.
 */
export async function openGapsOfAll(
  database: Database,
  gap: Window & { cause: GapCause; backend?: string },
): Promise<void> {
  const page = { after: '', place: 0 };
  for (;;) {
    const { last, count } = await database.transaction((tx) => openGapsOfWorking(tx, gap, page));
    if (last === null) return;
    page.after = last;
    page.place += count;
  }
}
