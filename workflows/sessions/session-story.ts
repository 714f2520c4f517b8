import type { Followed } from '../../activities/sessions/sessions.ts';
import { SESSION_ERROR_TODOS } from '../../domain/sessions/session-error.ts';
import { toPaste } from '../decision.ts';
import { createStory } from '../operator-story.ts';

type Found = Followed & { status: string };

/** The state of a session: the findings of the last check, and its supervisor's latest actions, the newest last. */
export interface SessionProgress {
  found: Found | null;
  lately: { at: string; what: string }[];
}

/** Its supervisor shows this many of the things that have happened. */
const SHOWN = 10;

/** Creates the story of a session, which shows the findings of the last look and what has happened lately. */
export function sessionStory() {
  const story = createStory<SessionProgress>(
    { found: null, lately: [] },
    {
      state:
        'The last check of the session: status, wishes, actions, silence, gaps and waiting messages; null at the start. Send `statusChanged` for a new check.',
      details: detailsOf,
    },
  );
  const happened = (what: string): SessionProgress['lately'] =>
    [...story.view().lately, { at: new Date().toISOString(), what }].slice(-SHOWN);
  return {
    connects: () => story.tell({ ...story.view(), lately: happened('connecting') }),
    found(found: Found): void {
      const last = story.view().found?.status;
      const lately = found.status === last ? story.view().lately : happened(found.status);
      story.tell({ found, lately });
    },
    did(deed: string | null): void {
      if (deed !== null) story.tell({ ...story.view(), lately: happened(`did: ${deed}`) });
    },
  };
}

function detailsOf({ found, lately }: SessionProgress): string[] {
  if (found === null) return ['**connecting**'];
  return [
    ...howItIs(found),
    ...howSilentItIs(found),
    ...whatMayBeLost(found),
    ...whatWasDone(found),
    `Lately: ${lately.map(({ at, what }) => `${at} ${what}`).join(' · ')}`,
    `Updates \`restart\`, \`stop\`, \`relogin\`: ${toPaste()}; \`move\`: ${toPaste({ backend: 'its id' })}`,
    `${found.backlog ? `As of ${found.backlog.asOf}; the` : 'The'} signal \`statusChanged\` makes it check again.`,
  ];
}

/** Describes the findings of the last check; earlier releases recorded the status alone. */
function howItIs({ status, backlog }: Found): string[] {
  if (!backlog) return [`**${status}**`];
  const { waiting, oldestAt, releaseAt, restrictedUntil, lastMessageAt } = backlog;
  const held = releaseAt === null ? '' : `; its pace lets the next one go at ${releaseAt}`;
  return [
    `**${status}** · last message of either side: ${lastMessageAt ?? 'none yet'}`,
    waiting === 0 ? 'Nothing waits to be sent.' : `${waiting} wait to be sent, the oldest since ${oldestAt}${held}.`,
    ...(restrictedUntil === null ? [] : [`The network restricts the account until ${restrictedUntil}.`]),
  ];
}

function howSilentItIs({ silence }: Found): string[] {
  if (!silence) return [];
  const { reason, since, comparedAt, restarts } = silence;
  const told = since === null ? '**Suspect**' : `**Silent** since ${since}`;
  return [`${told}: \`${reason}\` · last compared: ${comparedAt ?? 'never'} · restarted for it: ${restarts} times.`];
}

function whatMayBeLost({ gaps }: Found): string[] {
  if (!gaps) return [];
  return [`**Gaps**: ${gaps.open} open, the first since ${gaps.since}; messages since then may be missing.`];
}

function whatWasDone({ wishes, next }: Found): string[] {
  if (!wishes) return [];
  const { wish, asked, acted, actedAt, restarts, lastError = null, isUsedUp } = wishes;
  const pending = ` · pending: \`${asked}\`; meanwhile, Pending Activities and \`lastError\` of the session show the reason`;
  const todo = SESSION_ERROR_TODOS[lastError ?? ''];
  const tried = lastError === null ? 'Last done' : 'Last tried';
  return [
    `Wanted: **${wish}**${asked === null ? '' : pending}`,
    ...(acted === null ? [] : [`${tried}: \`${acted}\` at ${actedAt}; restarted ${restarts} times in a row.`]),
    ...(lastError === null ? [] : [`**Error**: \`${lastError}\`${todo === undefined ? '' : `: ${todo}`}.`]),
    ...(isUsedUp ? ['**The engine has used up its restarts: a person must restart it.**'] : []),
    ...(next && next.inMs > 0 ? [`Next: \`${next.deed}\` at ${next.at}.`] : []),
  ];
}
