import { setCurrentDetails } from '@temporalio/workflow';

import type { ModelRetry } from '../activities/agent/begin-turn.ts';

export type AgentPhase = 'listening' | 'answering' | 'retrying' | 'idle';

export interface AgentView {
  phase: AgentPhase;
  /** The turn that is being answered. */
  turnId: string | null;
  turns: number;
  /** While no model answers: until when one is asked again, ISO 8601; then a person gets the conversation. */
  retriesUntil: string | null;
  /** What an operator decided here last. */
  decided: string | null;
}

const NEXT: Record<AgentPhase, string> = {
  listening: 'the contact has finished writing, then one reply to all of it',
  answering: 'the model answers; a newer message begins the turn again, at most twice',
  retrying: 'no model answered, so a model is asked again; a person gets the conversation when none is back in time',
  idle: 'the contact writes. Closes after half an hour',
};

/** How far the agent is in a conversation: the current details and the answer to the query `state`. */
export function createAgentStory() {
  const view: AgentView = { phase: 'listening', turnId: null, turns: 0, retriesUntil: null, decided: null };

  function show(): void {
    const turn = view.turnId === null ? '' : ` · \`${view.turnId}\``;
    const decided = view.decided === null ? '' : `\n\nLast decided here: ${view.decided}.`;
    const until = view.retriesUntil === null ? '' : ` · until ${view.retriesUntil}`;
    setCurrentDetails(
      `**${view.phase}**${turn}${until} · turns: ${view.turns}\n\nNext: ${NEXT[view.phase]}. Updates: \`takeOver\`, \`release\`.${decided}`,
    );
  }

  function tell(phase: AgentPhase, turnId: string | null, retriesUntil: string | null = null): void {
    if (turnId !== null && turnId !== view.turnId) view.turns += 1;
    view.phase = phase;
    view.turnId = turnId;
    view.retriesUntil = retriesUntil;
    show();
  }

  return {
    view,
    tell: (phase: Exclude<AgentPhase, 'retrying'>, turnId: string | null): void => tell(phase, turnId),
    retrying: ({ turnId, until }: ModelRetry): void => tell('retrying', turnId, until),
    decided(what: string): void {
      view.decided = what;
      show();
    },
  };
}
