import { condition, proxyActivities, proxyLocalActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { ACK_WATCH_MS, EXPIRES_AFTER_MS } from '../domain/message-state.ts';
import { TASK_QUEUES } from '../domain/names.ts';
import type { MessageActivities, SendResult } from '../activities/messages.ts';
import { acked, released } from './signals.ts';

/** The call waits at most 4 s for the backend; the rest is room for a slot and two transactions. */
const { sendMessage } = proxyLocalActivities<MessageActivities>({
  startToCloseTimeout: '15 s',
  retry: { initialInterval: '500 ms', maximumInterval: '5 s' },
});

/** Settling may take the 150 s that "certainly absent" needs, and as long again while the session is away. */
const { settleMessage } = proxyActivities<MessageActivities>({
  taskQueue: TASK_QUEUES.delivery,
  startToCloseTimeout: '20 m',
  heartbeatTimeout: '20 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
  summary: 'find out what became of the send',
});

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/** The story of one message: send, settle what is unknown, watch for the ack that decides it. */
export async function deliverMessage(messageId: string): Promise<string> {
  let level = 0;
  let mayGo = false;
  setHandler(acked, (reached) => void (level = reached < 0 ? reached : Math.max(level, reached)), {
    description: 'The network has confirmed a level of this message.',
  });
  setHandler(released, () => void (mayGo = true), { description: 'The session may send again.' });

  for (let pauseMs = FIRST_PAUSE_MS; ;) {
    mayGo = false;
    setCurrentDetails('**sending**');
    const result = await settled(await sendMessage({ messageId }), messageId);
    if (result.state === 'sent') {
      level = Math.max(level, result.level);
      break;
    }
    if (result.state === 'ended') return result.status;
    if (result.state === 'waiting') {
      setCurrentDetails(`**waiting**: ${result.reason}. It goes on when the session can send again.`);
      await condition(() => mayGo, EXPIRES_AFTER_MS.default, { summary: `waiting: ${result.reason}` });
      continue;
    }
    setCurrentDetails(`**again soon**: ${result.reason}`);
    await condition(() => mayGo, pauseMs, { summary: `again soon: ${result.reason}` });
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }

  setCurrentDetails('**sent**: watching for the delivery ack; later acks are rows only.');
  await condition(() => level >= 2 || level < 0, ACK_WATCH_MS, { summary: 'waiting for the delivery ack' });
  return level < 0 ? 'failed' : level >= 2 ? 'delivered' : 'sent';
}

type Settled = Exclude<SendResult, { state: 'unsettled' }>;

async function settled(result: SendResult, messageId: string): Promise<Settled> {
  if (result.state !== 'unsettled') return result;
  setCurrentDetails('**settling**: the outcome of the send is not known yet; nothing is sent again before it is.');
  return settleMessage({ messageId });
}
