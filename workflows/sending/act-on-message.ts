import { condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import { TASK_QUEUES } from '../../domain/names.ts';
import type { MessageActionActivities } from '../../activities/sending/actions.ts';
import { due } from '../signals.ts';
import { createStory } from '../operator-story.ts';

const { actOnMessage: act } = proxyActivities<MessageActionActivities>({
  taskQueue: TASK_QUEUES.delivery,
  startToCloseTimeout: '2 m',
  heartbeatTimeout: '30 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 m' },
  summary: 'edit, delete or react',
});

/**
 * Does what is asked to be done to a message that the network has, one after the other in the order in which it was
 * asked for: edits, deletions for everyone, reactions. Ends when nothing is left. The rows say what is asked.
 * Rows: message_action, message, message_version, message_response.
 */
export async function actOnMessage(messageId: string, before: ActionsEnded = {}): Promise<ActionsEnded> {
  const hints = { isDue: false };
  setHandler(due, () => void (hints.isDue = true), {
    description: 'The message has another request, or its session is back.',
  });
  const story = actionsStory(before);
  for (;;) {
    hints.isDue = false;
    const acted = await act({ messageId });
    switch (acted.state) {
      case 'nothing':
        if (hints.isDue) continue;
        return story.ends();
      case 'ended': {
        const end = [acted.kind, acted.status, acted.reason].filter((word) => word !== null).join(' ');
        story.ended(end);
        break;
      }
      case 'waits': {
        story.waits(acted.reason, acted.forMs);
        await condition(() => hints.isDue, acted.forMs, { summary: 'wait until the message allows it' });
        break;
      }
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof actOnMessage>(messageId, story.ends());
  }
}

/** Actions by their end. */
type ActionsEnded = Record<string, number>;

interface ActionsView {
  ends: ActionsEnded;
  waits: { reason: string; until: string } | null;
}

/** Creates the story of what is done to a message. A run that continues another goes on with its counts. */
function actionsStory(before: ActionsEnded) {
  const first: ActionsView = { ends: before, waits: null };
  const story = createStory<ActionsView>(first, {
    state: 'How many edits, deletions and reactions have come to which end, and what the next one waits for.',
    details: detailsOf,
  });
  story.tell(first);
  return {
    ends: (): ActionsEnded => story.view().ends,
    ended(end: string): void {
      const { ends } = story.view();
      story.tell({ ends: { ...ends, [end]: (ends[end] ?? 0) + 1 }, waits: null });
    },
    waits(reason: string, forMs: number): void {
      story.tell({ ...story.view(), waits: { reason, until: new Date(Date.now() + forMs).toISOString() } });
    },
  };
}

function detailsOf({ ends, waits }: ActionsView): string[] {
  const told = Object.entries(ends).map(([end, times]) => `${end}: ${times}`);
  return [
    told.length === 0 ? '**nothing has ended yet**' : told.join(' · '),
    ...(waits === null ? [] : [`**waits**: \`${waits.reason}\`. Next check: ${waits.until}.`]),
  ];
}
