import type { Automation, AutomationDefinition } from '../../../typescript/src/index.ts';
import { Action } from '../../parts/action.tsx';
import { SchemaForm } from '../../parts/form/schema-form.tsx';
import { Marked } from '../../parts/marked.tsx';
import { Panel, Section } from '../../parts/panel.tsx';
import { Badge } from '../../parts/small.tsx';
import { Timeline } from '../../parts/timeline.tsx';
import { engine, mayDo } from '../../shell/engine.ts';
import { href } from '../../shell/location.ts';
import { say } from '../../shell/say.tsx';
import { ForAll } from './for-all.tsx';
import { Rehearsed } from './rehearsed.tsx';
import { Try } from './try.tsx';
import { paramsOf } from './words.ts';
import { t } from '../../parts/words/t.ts';

/** Returns the tenant's setting. Null without one: the list shows that without a refusal. */
export const readSet = async (name: string, signal: AbortSignal) => {
  const { automations } = await engine.value.automations.list({}, { signal });
  const isSet = automations.some(({ automation }) => automation === name);
  return isSet ? engine.value.automations.read(name, {}, { signal }) : null;
};

export const DefinitionPage = ({ name }: { name: string }) => (
  <Panel
    title={t('Automation')}
    deps={[name]}
    load={async (signal) => {
      const { definitions } = await engine.value.automations.listDefinitions({}, { signal });
      const definition = definitions.find((each) => each.name === name);
      if (!definition) throw new Error('There is no automation with this name.');
      return { definition, set: await readSet(name, signal) };
    }}
  >
    {({ definition, set }, panel) => (
      <div class="stack">
        <div class="spread">
          <h3>{definition.title}</h3>
          <Badge tone={set?.enabled ? 'good' : 'quiet'}>{set?.enabled ? t('On') : t('Off')}</Badge>
        </div>
        <p class="words">
          <Marked text={definition.description} />
        </p>
        <p>
          <a href={href('/automations/runs', { automation: name })}>{t('Show runs')}</a>
        </p>
        <Rehearsed key={`${name} ${set?.updatedAt}`} definition={definition} />
        <Settings definition={definition} set={set} changed={panel.reload} />
        {set && <ForAll set={set} changed={panel.reload} />}
        <Try definition={definition} isOn={set?.enabled === true} />
        {set && set.changes.length > 0 && (
          <Section title={t('Changes')} level={3}>
            <Timeline
              label={t('Changes')}
              entries={set.changes.map(({ at, enabled, params }) => ({
                at,
                title: enabled ? t('Saved and on') : t('Saved and off'),
                text: paramsOf(params),
              }))}
            />
          </Section>
        )}
      </div>
    )}
  </Panel>
);

interface SettingsProps {
  definition: Pick<AutomationDefinition, 'name' | 'params'>;
  set: Automation | null;
  changed: () => void;
}

/** The parameters of a tenant, and the switch. */
export const Settings = ({ definition, set, changed }: SettingsProps) => {
  const isOn = set?.enabled === true;
  const write = async (enabled: boolean, params: Record<string, unknown>): Promise<void> => {
    await engine.value.automations.set(definition.name, { enabled, params });
    say(enabled ? t('Saved. The automation is on') : t('The automation is off'));
    changed();
  };
  return (
    <Section title={t('Settings')} level={3}>
      <SchemaForm
        key={String(set?.updatedAt)}
        schema={definition.params}
        value={set?.params ?? {}}
        submit={isOn ? t('Save') : t('Switch on')}
        disabled={!mayDo('ai:admin')}
        pointer="/params"
        save={(params) => write(true, params)}
      />
      {isOn && mayDo('ai:admin') && (
        <div>
          <Action
            tone="danger"
            run={() => write(false, set.params)}
            confirm={{
              title: t('Switch off this automation?'),
              text: t('No new runs start, and current runs are cancelled.'),
              yes: t('Switch off'),
              danger: true,
            }}
          >
            {t('Switch off …')}
          </Action>
        </div>
      )}
    </Section>
  );
};
