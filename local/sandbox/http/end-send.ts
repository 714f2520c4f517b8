import { LATE_ANSWER_UNITS } from '../people.ts';
import type { Sent } from '../network/send.ts';
import { viewOf } from '../network/emit.ts';
import type { Parts } from '../parts.ts';
import { sendAnswer } from '../shapes/send-answer.ts';
import type { Session } from '../state/session.ts';
import { dropConnection } from './apply-faults.ts';
import type { Context } from './context.ts';
import { EngineFailure } from './failures.ts';

/** Ends the call of a send in the way that its recipient's number asks for; the message is already in the journal. */
export async function endSend(ctx: Context, { core }: Parts, session: Session, sent: Sent): Promise<void> {
  if (sent.answer === 'connection dropped') return dropConnection(ctx);
  if (sent.answer === 'error') throw new EngineFailure('Timed Out');
  if (sent.answer === 'late') await core.timers.sleep(LATE_ANSWER_UNITS * core.settings.ackDelayMs);
  ctx.status = 201;
  ctx.body = sendAnswer(sent.message, viewOf(core, session));
}
