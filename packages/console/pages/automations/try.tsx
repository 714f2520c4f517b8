import { useState } from 'preact/hooks';
import type { AutomationDefinition, AutomationDryRun } from '../../../typescript/src/index.ts';
import { SchemaForm } from '../../parts/form/schema-form.tsx';
import { Section } from '../../parts/panel.tsx';
import { engine, mayDo } from '../../shell/engine.ts';
import { go, query, setQuery } from '../../shell/location.ts';
import { ChatChoice } from '../agent/chat-choice.tsx';
import { DryRuns } from './dry-runs.tsx';
import { t } from '../../parts/words/t.ts';

/** Tries it on the past of a chat without doing anything, or really runs it there, now. */
export const Try = ({ definition, isOn }: { definition: AutomationDefinition; isOn: boolean }) => {
  const chat = query.value['chat'];
  const [tried, setTried] = useState<AutomationDryRun | null>(null);
  const { name, input: schema } = definition;
  const chosen = (): string => {
    if (chat === undefined) throw new Error('Choose a conversation first.');
    return chat;
  };
  const attempt = async (input: Record<string, unknown>): Promise<void> => {
    const begin = schema === null ? {} : { begin: { input } };
    setTried(await engine.value.automations.dryRun(name, { conversationId: chosen(), ...begin }));
  };
  const run = async (input: Record<string, unknown>): Promise<void> => {
    const about = schema === null ? {} : { input };
    const { id } = await engine.value.automations.run({ automation: name, conversationId: chosen(), ...about });
    go(`/automations/runs/${id}`);
  };
  const form = { schema: schema ?? { type: 'object' }, value: {}, empty: null, disabled: chat === undefined };
  return (
    <>
      <Section title={t('Try it')} level={3}>
        <p class="quiet">
          {t(
            'Shows what the automation would have done in a conversation, with the saved settings. It sends and saves nothing, and the automation can be off.',
          )}
        </p>
        <ChatChoice value={chat} onChange={(next) => setQuery({ chat: next })} />
        <SchemaForm {...form} submit={t('Try')} pointer="/begin/input" save={attempt} />
        {tried && (
          <div role="status">
            <DryRuns of={tried} />
          </div>
        )}
      </Section>
      {mayDo('send') && isOn && (
        <Section title={t('Run it now')} level={3}>
          <p class="quiet">
            {t('This runs the automation in the chosen conversation: the customer gets its messages.')}
          </p>
          <SchemaForm {...form} submit={t('Run now')} pointer="/input" save={run} />
        </Section>
      )}
    </>
  );
};
