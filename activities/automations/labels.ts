import type { CallsOf } from '../../adapters/backend/backends.ts';
import { LABEL_CHANGE_MS } from '../../adapters/backend/calls/labels.ts';
import { changeLabels } from '../../db/network/change-labels.ts';
import { findConversationById } from '../../db/conversations/conversation.ts';
import { giveBackLabelLease, takeLabelLease } from '../../db/conversations/labels/label-lease.ts';
import { recordAllLabels } from '../../db/conversations/labels/labels.ts';
import type { ExecutionStanding } from '../../db/automations/execution.ts';
import { findSessionInScope } from '../../db/sessions/session.ts';
import { chosen } from '../../domain/automations/text-filter.ts';
import { EngineError } from '../../domain/error.ts';
import type { LabelMode } from '../../domain/labels.ts';
import { requireCapability } from '../../domain/network/capabilities.ts';
import { WORKING } from '../../domain/sessions/session.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { beating } from '../heartbeat.ts';
import { takeOutside } from './take-step.ts';
import type { Taken, TakenStep } from './take-step.ts';

export type LabelActivities = ReturnType<typeof createLabelActivities>;

interface LabelDependencies extends Pick<ActivityDependencies, 'database' | 'limits'> {
  backends: CallsOf<'listLabels' | 'listLabelsOfChat' | 'setLabelsOfChat'>;
}

/** The place before the backend of a session that waits is soon free, or the attempt is repeated. */
const SLOT_WAIT_MS = 10_000;

/** Creates the activity by which automations sort chats. */
export function createLabelActivities({ database, backends, limits }: LabelDependencies) {
  /**
   * Puts a label on the execution's chat, or takes it off, as the API does. Safe to repeat: what is so already is not set
   * again. Rows: automation_step, label, chat_label, label_lease, event.
   */
  async function labelChat({
    label,
    mode,
    ...step
  }: TakenStep & { label: string; mode: Exclude<LabelMode, 'replace'> }): Promise<Taken> {
    return takeOutside(database, step, (standing) => beating(() => change(standing, { label, mode })));
  }

  async function change(
    standing: ExecutionStanding,
    { label, mode }: { label: string; mode: LabelMode },
  ): Promise<Record<string, string>> {
    const { session, chatId } = await placeOf(standing);
    const { id: sessionId, name, agencyId, tenantId } = session;
    const calls = backends.of(session);
    const giveBack = await limits.of(session).acquire(sessionId, SLOT_WAIT_MS, { agencyId });
    if (!giveBack) throw busy();
    try {
      const startedAt = database.clock.now();
      const labels = await calls.listLabels(name);
      await database.transaction((tx) => recordAllLabels(tx, sessionId, labels, startedAt));
      const named = chosen(
        labels.flatMap((each) => each.name ?? []),
        label,
      );
      const found = labels.find((each) => each.name === named);
      if (named === null || !found) throw new EngineError('label_unknown', 'The account has no label with this name.');
      const lease = { forMs: LABEL_CHANGE_MS, byAutomation: true };
      const token = await database.statement((tx) => takeLabelLease(tx, { sessionId, chatId }, lease));
      if (token === null) throw busy();
      const at = { session: name, chatId };
      try {
        await changeLabels(
          database,
          { agencyId, tenantId, sessionId, chatId },
          {
            mode,
            given: [found.id],
            known: labels.map(({ id }) => id),
            read: () => calls.listLabelsOfChat(at),
            set: (ids) => calls.setLabelsOfChat(at, ids),
          },
        );
      } finally {
        await database.statement((tx) => giveBackLabelLease(tx, { sessionId, chatId }, token));
      }
      return { labelId: found.id, mode };
    } finally {
      giveBack();
    }
  }

  /** The chat, and the session that labels it now. */
  async function placeOf({ agencyId, tenantId, sessionId, conversationId }: ExecutionStanding) {
    return database.read(async (queries) => {
      const conversation = conversationId === null ? null : await findConversationById(queries, conversationId);
      const session = await findSessionInScope(queries, { agencyId, tenantId, sessionId });
      if (!session || !conversation) throw new EngineError('session_not_ready', 'It has no session or no chat.');
      requireCapability('labels', session.platform ?? null);
      if (session.status !== WORKING) throw new EngineError('session_not_ready', 'The session is not connected.');
      return { session, chatId: conversation.chatId };
    });
  }

  return { labelChat };
}

function busy(): EngineError {
  return new EngineError('busy', 'Others change the labels of this chat, or use the session.');
}
