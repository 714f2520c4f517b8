import { defineUpdate, proxyActivities, setHandler } from '@temporalio/workflow';
import type { SessionActivities } from '../../activities/sessions/sessions.ts';
import { TASK_QUEUES, UPDATES } from '../../domain/names.ts';
import type { SessionAct } from '../../domain/sessions/wish.ts';
import { reasonOf, requireDecision, requireText } from '../decision.ts';
import type { Decision } from '../decision.ts';
import { requestId } from '../request-id.ts';

/** The response of an Update: the decision is recorded, and carried out next. */
interface Recorded {
  asked: SessionAct;
}

const restart = defineUpdate<Recorded, [Decision]>(UPDATES.restart);
const stop = defineUpdate<Recorded, [Decision]>(UPDATES.stop);
/** Logs the account out, so that another code is scanned. */
const relogin = defineUpdate<Recorded, [Decision]>(UPDATES.relogin);

/** Says which backend the session moves to, beside who decides and why. */
type Move = Decision & { backend: string };
const move = defineUpdate<{ backend: string }, [Move]>(UPDATES.move);

const { decideSession, moveSession } = proxyActivities<SessionActivities>({
  taskQueue: TASK_QUEUES.delivery,
  startToCloseTimeout: '30 s',
  retry: { initialInterval: '500 ms', maximumInterval: '10 s' },
});

/** Takes a person's decisions about the session. `onDecided` is called after each, so that it is carried out. */
export function handleDecisions(sessionId: string, onDecided: () => void): void {
  setHandler(restart, (decision) => decide('restart', decision), {
    description: 'Restart the session with its login, or start a stopped one: { actor, reason }.',
    validator: requireDecision,
  });
  setHandler(stop, (decision) => decide('stop', decision), {
    description: 'Stop the session; its messages wait for a start: { actor, reason }.',
    validator: requireDecision,
  });
  setHandler(relogin, (decision) => decide('relogin', decision), {
    description: 'Log the account out and show a new QR code: { actor, reason }. Uncertain sends are settled first.',
    validator: requireDecision,
  });
  setHandler(
    move,
    async ({ backend, actor, reason }) => {
      try {
        await moveSession({ sessionId, backend, actor, reason, requestId: requestId() });
        onDecided();
        return { backend };
      } catch (error) {
        throw reasonOf(error);
      }
    },
    {
      description:
        'Move the session to another backend: { backend, actor, reason }. Link its account again, unless the backends share their store.',
      validator: (given) => {
        requireDecision(given);
        requireText(given, 'backend');
      },
    },
  );

  async function decide(act: SessionAct, { actor, reason }: Decision): Promise<Recorded> {
    try {
      await decideSession({ sessionId, act, actor, reason, requestId: requestId() });
      onDecided();
      return { asked: act };
    } catch (error) {
      throw reasonOf(error);
    }
  }
}
