import type { Automation, AutomationDefinition } from '../../../sdk/typescript/src/index.ts';
import { EngineError } from '../../../sdk/typescript/src/index.ts';
import { Action } from '../../parts/action.tsx';
import { SchemaForm } from '../../parts/form/schema-form.tsx';
import { Panel, Section } from '../../parts/panel.tsx';
import { Badge } from '../../parts/small.tsx';
import { Timeline } from '../../parts/timeline.tsx';
import { engine, mayDo } from '../../shell/engine.ts';
import { href } from '../../shell/location.ts';
import { say } from '../../shell/say.tsx';
import { ForAll } from './for-all.tsx';
import { Try } from './try.tsx';

/** What the tenant has set, null where it has set nothing. */
const readSet = async (name: string, signal: AbortSignal) => {
  try {
    return await engine.value.automations.read(name, {}, { signal });
  } catch (error) {
    if (error instanceof EngineError && error.code === 'not_found') return null;
    throw error;
  }
};

export const DefinitionPage = ({ name }: { name: string }) => (
  <Panel
    title="Automation"
    deps={[name]}
    load={async (signal) => {
      const { definitions } = await engine.value.automations.listDefinitions({}, { signal });
      const definition = definitions.find((each) => each.name === name);
      if (!definition) throw new Error('This engine has no automation of this name.');
      return { definition, set: await readSet(name, signal) };
    }}
  >
    {({ definition, set }, panel) => (
      <div class="stack">
        <div class="spread">
          <h3>{definition.title}</h3>
          <Badge tone={set?.enabled ? 'good' : 'quiet'}>{set?.enabled ? 'On' : 'Off'}</Badge>
        </div>
        <p class="words">{definition.description}</p>
        <p>
          <a href={href('/automations/runs', { automation: name })}>Its runs</a>
        </p>
        <Settings definition={definition} set={set} changed={panel.reload} />
        {set && <ForAll set={set} changed={panel.reload} />}
        <Try definition={definition} isOn={set?.enabled === true} />
        {set && set.changes.length > 0 && (
          <Section title="What was changed" level={3}>
            <Timeline
              label="Changes"
              entries={set.changes.map(({ at, enabled, params }) => ({
                at,
                title: enabled ? 'Set, and on' : 'Set, and off',
                text: <span class="mono">{JSON.stringify(params)}</span>,
              }))}
            />
          </Section>
        )}
      </div>
    )}
  </Panel>
);

interface SettingsProps {
  definition: AutomationDefinition;
  set: Automation | null;
  changed: () => void;
}

const Settings = ({ definition, set, changed }: SettingsProps) => {
  const isOn = set?.enabled === true;
  const write = async (enabled: boolean, params: Record<string, unknown>): Promise<void> => {
    await engine.value.automations.set(definition.name, { enabled, params });
    say(enabled ? 'It is on' : 'It is off');
    changed();
  };
  return (
    <Section title="Settings" level={3}>
      <SchemaForm
        key={String(set?.updatedAt)}
        schema={definition.params}
        value={set?.params ?? {}}
        submit={isOn ? 'Save' : 'Switch on'}
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
              title: 'Switch it off?',
              text: 'No run begins any more, and those that go on are cancelled.',
              yes: 'Switch off',
              danger: true,
            }}
          >
            Switch off …
          </Action>
        </div>
      )}
    </Section>
  );
};
