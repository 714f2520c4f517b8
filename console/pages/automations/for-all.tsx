import type { Automation } from '../../../sdk/typescript/src/index.ts';
import { Action } from '../../parts/action.tsx';
import { Section } from '../../parts/panel.tsx';
import { engine, mayDo, who } from '../../shell/engine.ts';

interface ForAllProps {
  set: Automation;
  changed: () => void;
}

/** Whether a tenant has a setting of its own or its agency's, and how one becomes the other. */
export const ForAll = ({ set, changed }: ForAllProps) => {
  const maySetForAll = mayDo('ai:admin') && (who.value?.kind === 'dashboard' || who.value?.kind === 'master');
  return (
    <Section title="For all tenants" level={3}>
      <p class="words">
        {set.followsAgency
          ? 'This is what the agency has set for all its tenants. What you set here holds for this tenant alone.'
          : 'This tenant has settings of its own, which stay when the agency changes what holds for all.'}
      </p>
      <div class="row">
        {mayDo('ai:admin') && !set.followsAgency && (
          <Action
            run={async () => {
              await engine.value.automations.followDefault(set.automation);
              changed();
            }}
            confirm={{
              title: 'Use what the agency has set?',
              text: 'The settings of this tenant give way to those for all tenants. Where there are none, it is switched off.',
              yes: 'Use them',
            }}
            done="It is as the agency has set it"
          >
            Use the agency's …
          </Action>
        )}
        {maySetForAll && !set.followsAgency && <SetForAll set={set} enabled={set.enabled} changed={changed} />}
        {maySetForAll && set.followsAgency && <SetForAll set={set} enabled={!set.enabled} changed={changed} />}
      </div>
    </Section>
  );
};

/** Sets for all tenants what this one has; or, where it has what is set for all, switches that on or off. */
const SetForAll = ({ set, enabled, changed }: ForAllProps & { enabled: boolean }) => {
  const isSwitch = set.followsAgency;
  return (
    <Action
      run={async () => {
        const { automation, params } = set;
        await engine.value.automations.setDefault(automation, isSwitch ? { enabled } : { enabled, params });
        changed();
      }}
      confirm={{
        title: enabled ? 'Switch it on for all tenants?' : 'Switch it off for all tenants?',
        text: isSwitch
          ? 'It holds for every tenant of the agency that has no settings of its own, also for this one.'
          : 'These settings hold for every tenant of the agency that has none of its own, and for those that come later.',
        yes: isSwitch ? (enabled ? 'Switch on' : 'Switch off') : 'Set for all',
      }}
      done="It holds for all tenants"
    >
      {isSwitch ? `Switch ${enabled ? 'on' : 'off'} for all tenants …` : 'Set for all tenants …'}
    </Action>
  );
};
