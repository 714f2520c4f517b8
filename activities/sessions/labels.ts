import { heartbeat, log } from '@temporalio/activity';
import type { CallsOf } from '../../adapters/backend/backends.ts';
import { areLabelsStale, importLabels, noteLabelsRead } from '../../db/conversations/labels/label-import.ts';
import type { ReadLabels } from '../../db/conversations/labels/label-import.ts';
import type { Session } from '../../db/sessions/session.ts';
import { EngineError } from '../../domain/error.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export interface LabelDependencies extends Pick<ActivityDependencies, 'database'> {
  backends: CallsOf<'listLabels' | 'listChatsOfLabel'>;
}

/**
 * Reads which chats have which labels, where that was not done lately: reports of the backend tell changes alone. Chats
 * and messages do not wait for labels, so a backend that cannot tell them is asked again by a later sync.
 */
export async function syncLabels({ database, backends }: LabelDependencies, session: Session): Promise<void> {
  if (!(await database.read((queries) => areLabelsStale(queries, session.id)))) return;
  const startedAt = database.clock.now();
  try {
    const labels: ReadLabels['labels'][number][] = [];
    for (const label of await backends.of(session).listLabels(session.name)) {
      heartbeat();
      labels.push({ ...label, chatIds: await backends.of(session).listChatsOfLabel(session.name, label.id) });
    }
    await database.transaction((tx) => importLabels(tx, session.id, { labels, startedAt }));
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    if (error.code === 'not_supported_by_engine') {
      await database.transaction((tx) => noteLabelsRead(tx, session.id, startedAt));
    }
    log.info('the labels of the session were not read', { code: error.code });
  }
}
