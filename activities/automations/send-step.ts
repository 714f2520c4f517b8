import { acceptSend } from '../../db/sending/accept.ts';
import type { StepDetail } from '../../db/automations/steps.ts';
import type { Database } from '../../db/engine/database.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { wrongButtons } from '../../domain/automations/choice.ts';
import type { OfferedButton } from '../../domain/automations/choice.ts';
import { EngineError } from '../../domain/error.ts';
import { EXPIRES_AFTER_MS } from '../../domain/sending/message-state.ts';
import type { Part } from '../../domain/sending/parts.ts';
import { take } from './take-step.ts';
import type { Taken, TakenStep } from './take-step.ts';

/** A message of a run, and what its step shows beside the message's id. */
export interface Saying {
  parts: readonly Part[];
  shown: StepDetail;
}

/** Accepts a message for the run's conversation, in the transaction of its step, so that both are written once. */
export async function say(
  database: Pick<Database, 'transaction'>,
  { transactional, ...step }: TakenStep & { transactional: boolean },
  saying: (tx: Tx) => Promise<Saying>,
): Promise<Taken> {
  return take(database, { ...step, isForTheWilling: !transactional, isVisible: true }, async (tx, standing) => {
    const { agencyId, tenantId, sessionId, conversationId, epoch, whileSo } = standing;
    if (conversationId === null) return { refused: 'no_conversation' };
    const { parts, shown } = await saying(tx);
    const accepted = await acceptSend(
      tx,
      { agencyId, tenantId, sessionId },
      {
        recipient: { conversationId },
        parts,
        origin: 'api',
        via: 'automation',
        transactional,
        // The claim refuses the message once somebody has taken the conversation over since.
        hands: step.besidePeople ? undefined : (epoch ?? undefined),
        ofRun: { executionId: step.executionId, whileSo },
        expires: { afterMs: EXPIRES_AFTER_MS.default },
      },
    );
    return accepted.outcome === 'accepted'
      ? { messageId: accepted.messageId, ...shown }
      : { refused: accepted.outcome };
  });
}

/** Makes a message with these buttons, or a plain one without any. */
export function partWith(body: string, buttons: readonly OfferedButton[]): Part {
  if (buttons.length === 0) return { kind: 'text', body };
  const wrong = wrongButtons(buttons);
  if (wrong !== null) throw new EngineError('invalid_request', wrong);
  const replies = buttons.map(({ id, text }) => ({ type: 'reply' as const, id, text }));
  return { kind: 'buttons', body, content: { buttons: { buttons: replies } } };
}
