import { z } from 'zod';
import type { ModelCall } from '../../domain/agent/turn.ts';
import { currentTrace } from '../../domain/telemetry/tracing.ts';
import { AcceptAnswer, asParameters, outcomeOf, SEND_KEYS } from '../sending/accept.ts';
import type { NewSend } from '../sending/accept.ts';
import { jsonParameter } from '../engine/json-parameter.ts';
import { one } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { ANSWER_KEYS, CALL_KEYS, END_KEYS, endOf } from './turn-end.ts';
import type { ModelAnswer, TurnEnd } from './turn-end.ts';
import type { TurnAtWork } from './turn.ts';
import { USAGE_KEYS } from './usage.ts';
import type { Spender, Usage } from './usage.ts';

/** The cost of a model's response for its payer, with the prompt and the response. */
export interface Asked {
  spender: Spender;
  usage: Omit<Usage, 'replies'>;
  call: ModelCall;
  answer: ModelAnswer;
}

const ConcludedRow = z.object({
  concluded: z.object({
    state: z.enum(['open', 'taken_over', 'paused', 'over']),
    /** The conversation that the turn's own may have been merged into, and its epoch. */
    conversationId: z.string(),
    epoch: z.int().nullable(),
    accepted: AcceptAnswer.nullable(),
  }),
});
export type Concluded = z.output<typeof ConcludedRow>['concluded'];

const concludeJson = jsonParameter(
  {
    turnId: true,
    conversationId: true,
    now: true,
    end: END_KEYS,
    send: SEND_KEYS,
    // The function adds the replies.
    usage: { ...USAGE_KEYS, replies: 'optional' },
    call: CALL_KEYS,
    answer: ANSWER_KEYS,
  },
  'conclude_turn.p',
);

/**
 * Ends a turn under the locks of its conversation and its row, with the words that go out and what was asked of a
 * model, in one statement (`conclude_turn` in `turn.sql`). Nothing is said when the turn has already ended or somebody
 * has taken over since it began.
 */
export async function concludeInOne(
  tx: Tx,
  turn: Pick<TurnAtWork, 'id' | 'conversationId' | 'agencyId' | 'tenantId' | 'sessionId'>,
  { end, send, asked }: { end: TurnEnd; send: NewSend | null; asked: Asked | null },
): Promise<Concluded> {
  const { id: turnId, conversationId } = turn;
  const parameters = send && asParameters(tx, { scope: turn, send, trace: currentTrace() });
  const p = {
    turnId,
    conversationId,
    now: tx.now,
    end: endOf(end),
    send: parameters,
    usage: asked && { ...asked.spender, ...asked.usage, reservationId: turnId },
    call: asked?.call ?? null,
    answer: asked?.answer ?? null,
  };
  const { concluded } = await one(tx, ConcludedRow)`select conclude_turn(${concludeJson(p)}::jsonb) as concluded`;
  if (parameters && concluded.accepted) outcomeOf(tx, parameters, concluded.accepted);
  return concluded;
}
