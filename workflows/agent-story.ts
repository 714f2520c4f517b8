import { setCurrentDetails } from '@temporalio/workflow';

export type AgentPhase = 'listening' | 'answering' | 'idle';

export interface AgentView {
  phase: AgentPhase;
  /** The turn that is being answered. */
  turnId: string | null;
  turns: number;
  /** What an operator decided here last. */
  decided: string | null;
}

const NEXT: Record<AgentPhase, string> = {
  listening: 'the contact has finished writing, then one reply to all of it',
  answering: 'the model answers; a newer message begins the turn again, at most twice',
  idle: 'the contact writes. Closes after half an hour',
};

/** How far the agent is in a conversation: the current details and the answer to the query `state`. */
export function createAgentStory() {
  const view: AgentView = { phase: 'listening', turnId: null, turns: 0, decided: null };

  function show(): void {
    const turn = view.turnId === null ? '' : ` · \`${view.turnId}\``;
    const decided = view.decided === null ? '' : `\n\nLast decided here: ${view.decided}.`;
    setCurrentDetails(
      `**${view.phase}**${turn} · turns: ${view.turns}\n\nNext: ${NEXT[view.phase]}. Updates: \`takeOver\`, \`release\`.${decided}`,
    );
  }

  return {
    view,
    tell(phase: AgentPhase, turnId: string | null): void {
      if (turnId !== null && turnId !== view.turnId) view.turns += 1;
      view.phase = phase;
      view.turnId = turnId;
      show();
    },
    decided(what: string): void {
      view.decided = what;
      show();
    },
  };
}
