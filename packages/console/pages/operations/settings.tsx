import type { TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { TenantSettings, UpdateSettings } from '../../../typescript/src/index.ts';
import { Field } from '../../parts/field.tsx';
import { Bytes, Count } from '../../parts/numbers.tsx';
import { Panel } from '../../parts/panel.tsx';
import { errorAt, Problem } from '../../parts/problem.tsx';
import { Facts } from '../../parts/small.tsx';
import { mayDo, who } from '../../shell/engine.ts';
import { say } from '../../shell/say.tsx';
import { FIELDS, settingsChange, typedSettings } from './settings-form.ts';
import { settingsOf, tenantNow } from './tenant.ts';
import { t } from '../../parts/words/t.ts';
import { useDeed } from '../../parts/use-deed.ts';

export const Settings = () => (
  <>
    <Panel title={t('Settings')} load={(signal) => settingsOf().read(tenantNow(), {}, { signal })}>
      {(settings, panel) => <Editor settings={settings} saved={panel.set} />}
    </Panel>
    <Panel title={t('Storage')} load={(signal) => settingsOf().readUsage(tenantNow(), {}, { signal })}>
      {({ media }) => (
        <Facts
          items={[
            [t('Files of messages'), <Count n={media.files} />],
            [t('Total size'), <Bytes n={media.sizeBytes} />],
          ]}
        />
      )}
    </Panel>
  </>
);

const Editor = ({ settings, saved }: { settings: TenantSettings; saved: (settings: TenantSettings) => void }) => {
  const [typed, setTyped] = useState(() => typedSettings(settings));
  const change: UpdateSettings = settingsChange(settings, typed);
  const isChanged = Object.keys(change).length > 0;
  const mayChange = mayDo('sessions') && who.value?.kind !== 'session';
  const { problem, act: save } = useDeed(async () => {
    const next = await settingsOf().update(tenantNow(), change);
    saved(next);
    setTyped(typedSettings(next));
    say(t('Saved'));
  });
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {!mayChange && <p class="quiet">{t("To change the settings, log in with the dashboard's key.")}</p>}
      <div class="grid2">
        {FIELDS.map(({ name, label, hint, pointer, type }) => (
          <Field key={name} label={label} hint={hint} error={errorAt(problem, pointer)}>
            {(props) => {
              const given = {
                ...props,
                readOnly: !mayChange,
                value: typed[name] ?? '',
                onInput: (event: TargetedEvent<HTMLInputElement>) => {
                  const { value } = event.currentTarget;
                  setTyped((before) => ({ ...before, [name]: value }));
                },
              };
              if (type === 'number') return <input {...given} type="number" min={0} />;
              return type === 'time' ? <input {...given} type="time" /> : <input {...given} type="text" />;
            }}
          </Field>
        ))}
      </div>
      {problem && <Problem problem={problem} />}
      {mayChange && (
        <div>
          <button type="submit" class="primary" disabled={!isChanged}>
            {t('Save')}
          </button>
        </div>
      )}
    </form>
  );
};
