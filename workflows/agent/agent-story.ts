import type { TurnStep } from '../../activities/agent/begin-turn.ts';
import type { ModelRetry } from '../../activities/agent/turn-plan.ts';
import { toPaste } from '../decision.ts';
import { createStory } from '../operator-story.ts';

export type AgentPhase = 'listening' | 'answering' | 'retrying' | 'idle';

/** The person who has the conversation, as the rows last said; no name is in it. */
type Person = NonNullable<Extract<TurnStep, { state: 'none' }>['person']>;

export interface AgentView {
  phase: AgentPhase;
  /** The turn that is being answered. */
  turnId: string | null;
  turns: number;
  /**
   * While no model answers: the time (ISO 8601) until which a model is asked again, before a person gets the
   * conversation.
   */
  retriesUntil: string | null;
  /** The last decision that an operator made here. */
  decided: string | null;
  /** The last turn in which the agent said nothing by a decision, and why. */
  silent: { code: string; at: string } | null;
  /** Null while the agent has the conversation. */
  person: Person | null;
}

const NEXT: Record<AgentPhase, string> = {
  listening: 'the contact has finished writing, then one reply to all of it',
  answering: 'the model answers; a newer message restarts the turn, at most twice',
  retrying: 'no model answered; the engine retries, then a person gets the conversation',
  idle: 'the contact writes. Closes after half an hour',
};

const BEGINNING: AgentView = {
  phase: 'listening',
  turnId: null,
  turns: 0,
  retriesUntil: null,
  decided: null,
  silent: null,
  person: null,
};

/** The page that explains each silence. */
const SILENCES = 'docs/guides/agent.md explains each word.';

/** An operator sees this many turns at once. */
const MAX_SHOWN_TURNS = 10;

/**
 * The rows have what the execution is not told: if the agent is known to say nothing, because a person has the
 * conversation, it is a group, the agent is off or the message is old, the message gets a silent turn and no signal.
 */
function allTurns(conversationId: string): string {
  const select = `select id, started_at, outcome, silence_code from ai_turn where conversation_id = '${conversationId}' order by id desc limit ${MAX_SHOWN_TURNS}`;
  return `All turns with their reasons, including silences that this execution does not see (\`human\`, \`group\`, \`paused\`, \`stale\`): \`./engine sql "${select}"\``;
}

export type AgentStory = ReturnType<typeof agentStory>;

export function agentStory(conversationId: string) {
  const story = createStory(BEGINNING, {
    state: "The agent's progress: phase, turn, decisions.",
    details: (view) => [...detailsOf(view), allTurns(conversationId)],
  });

  function tell(phase: AgentPhase, turnId: string | null, retriesUntil: string | null = null): void {
    const view = story.view();
    const isNew = turnId !== null && turnId !== view.turnId;
    story.tell({ ...view, phase, turnId, turns: view.turns + (isNew ? 1 : 0), retriesUntil });
  }

  return {
    tell: (phase: Exclude<AgentPhase, 'retrying'>, turnId: string | null): void => tell(phase, turnId),
    retrying: ({ turnId, until }: ModelRetry): void => tell('retrying', turnId, until),
    silent: (code: string): void => story.tell({ ...story.view(), silent: { code, at: new Date().toISOString() } }),
    /**
     * Shows what a look at the rows says of who has the conversation. The details are no part of the history, so
     * histories of the release before still fit.
     */
    looked(step: TurnStep): void {
      if (step.state === 'busy') return;
      story.tell({ ...story.view(), person: (step.state === 'none' ? step.person : undefined) ?? null });
    },
    decided: (decided: string): void => story.tell({ ...story.view(), decided }),
  };
}

function detailsOf({ phase, turnId, turns, retriesUntil, decided, silent, person }: AgentView): string[] {
  return [
    [
      `**${phase}**${turnId === null ? '' : ` · \`${turnId}\``}`,
      ...(retriesUntil === null ? [] : [`until ${retriesUntil}`]),
      `turns: ${turns}`,
    ].join(' · '),
    ...(person === null ? [] : [personLine(person)]),
    `Next: ${NEXT[phase]}.`,
    ...(silent === null ? [] : [`Silent at ${silent.at}: \`${silent.code}\`. ${SILENCES}`]),
    `Updates \`takeOver\`, \`release\`: ${toPaste()}`,
    ...(decided === null ? [] : [`Last decided here: ${decided}.`]),
  ];
}

function personLine({ of, since, cause }: Person): string {
  if (of === 'tenant') {
    return 'A person has all conversations of the tenant. The agent says nothing until they are released.';
  }
  const beginning = [...(since === null ? [] : [`since ${since}`]), ...(cause === null ? [] : [`(\`${cause}\`)`])];
  return `${['A person has it', ...beginning].join(' ')}. The agent says nothing until it is released.`;
}
