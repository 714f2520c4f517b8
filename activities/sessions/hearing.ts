import { listDueHearings, recordHearings } from '../../db/sessions/hearing.ts';
import { listen } from '../../domain/sessions/hearing.ts';
import type { SilenceSettings } from '../../domain/sessions/hearing.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** One run of the reconcile looks at this many pages of sessions. */
const MAX_PAGES = 40;
const PAGE = 500;

interface HearingDependencies extends Pick<ActivityDependencies, 'database'> {
  silence: SilenceSettings | undefined;
}

/**
 * Looks at what sessions have heard whose look is due, and returns how many are to be compared with their backend. Safe
 * to repeat: a look says when the next one is due. Rows: session, dispatch.
 */
export async function lookAtHearings(
  { database, silence }: HearingDependencies,
  isStopping: () => boolean,
): Promise<number> {
  let asked = 0;
  if (silence?.isOn !== true) return asked;
  for (let page = 0; page < MAX_PAGES && !isStopping(); page += 1) {
    const due = await database.read((queries) => listDueHearings(queries, PAGE));
    if (due.length === 0) break;
    const now = database.clock.now();
    const looked = due.map((hearing) => listen(hearing, now, silence));
    asked += await database.transaction((tx) => recordHearings(tx, looked));
    if (due.length < PAGE) break;
  }
  return asked;
}
