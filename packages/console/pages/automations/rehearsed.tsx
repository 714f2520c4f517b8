import { useState } from 'preact/hooks';
import type { AutomationDefinition, AutomationDryRun } from '../../../typescript/src/index.ts';
import { EngineError } from '../../../typescript/src/index.ts';
import { Action } from '../../parts/action.tsx';
import { Section } from '../../parts/panel.tsx';
import { engine, isGuest } from '../../shell/engine.ts';
import { href } from '../../shell/location.ts';
import { RunTried } from './dry-runs.tsx';
import { timesOf } from './words.ts';
import { t } from '../../parts/words/t.ts';

/** As many of the newest conversations are tried until one would have started the automation. */
const TRIED = 3;

interface Found {
  /** Null where the runs need no conversation. */
  chat: { conversationId: string; name: string } | null;
  tried: AutomationDryRun;
}

/** Only a schedule can be tried without a conversation; for other automations the engine refuses that. */
const tryAlone = async (name: string): Promise<Found | null> => {
  try {
    return { chat: null, tried: await engine.value.automations.dryRun(name, {}) };
  } catch (error) {
    if (error instanceof EngineError && error.code === 'invalid_request') return null;
    throw error;
  }
};

const rehearse = async (name: string): Promise<Found | null> => {
  const { chats } = await engine.value.conversations.list({ limit: TRIED });
  if (chats.length === 0) return tryAlone(name);
  for (const chat of chats) {
    const tried = await engine.value.automations.dryRun(name, { conversationId: chat.conversationId });
    if (tried.runs.length > 0) return { chat, tried };
  }
  return null;
};

const Latest = ({ chat, tried }: Found) => {
  const run = tried.runs.at(-1);
  if (!run) return <p class="quiet">{t('It would not have run lately.')}</p>;
  return (
    <>
      <p>
        {t('It would have run')} {timesOf(tried)}
        {chat && (
          <>
            {` ${t('in')} `}
            <a href={href(`/inbox/${encodeURIComponent(chat.conversationId)}`)}>{chat.name}</a>
          </>
        )}
        . {tried.runs.length > 1 && t('Below is the latest of these runs. ')}
        {t('Nothing was done.')}
      </p>
      <RunTried run={run} name="Rehearsed run" />
    </>
  );
};

/**
 * The steps of a rehearsal on the newest conversation that would have started it. Nothing is sent. It runs on request:
 * rehearsals share the rate of the key, and an agency has one at a time.
 */
export const Rehearsed = ({ definition }: { definition: AutomationDefinition }) => {
  const { name, input } = definition;
  const [found, setFound] = useState<Found | null | undefined>(undefined);
  // A request that says something has to be written first, below. A link does not open the list of chats.
  if (input !== null || isGuest.value) return null;
  return (
    <Section title={t('Rehearsal')} level={3}>
      <div class="row">
        <Action run={async () => setFound(await rehearse(name))}>{t('Show a rehearsal')}</Action>
      </div>
      <div class="stack" role="status">
        {found === null && (
          <p class="quiet">
            {t('None of the newest conversations would have started it. Try it on another one below.')}
          </p>
        )}
        {found && <Latest {...found} />}
      </div>
    </Section>
  );
};
