import type { Automation } from '../../../typescript/src/index.ts';
import { Action } from '../../parts/action.tsx';
import { Section } from '../../parts/panel.tsx';
import { engine, mayDo, who } from '../../shell/engine.ts';
import { t } from '../../parts/words/t.ts';

interface ForAllProps {
  set: Automation;
  changed: () => void;
}

/** Whether a tenant has a setting of its own or its agency's, and how one becomes the other. */
export const ForAll = ({ set, changed }: ForAllProps) => {
  const maySetForAll = mayDo('ai:admin') && (who.value?.kind === 'dashboard' || who.value?.kind === 'master');
  return (
    <Section title={t('For all tenants')} level={3}>
      <p class="words">
        {set.followsAgency
          ? t('These are the settings of the agency for all tenants. Your changes here apply to this tenant only.')
          : t('This tenant has its own settings. They stay when the settings for all tenants change.')}
      </p>
      <div class="row">
        {mayDo('ai:admin') && !set.followsAgency && (
          <Action
            run={async () => {
              await engine.value.automations.followDefault(set.automation);
              changed();
            }}
            confirm={{
              title: t('Use the agency’s settings?'),
              text: t(
                'The settings for all tenants replace those of this tenant. Without any, the automation switches off.',
              ),
              yes: t('Use them'),
            }}
            done={t('The settings for all tenants apply now')}
          >
            {t('Use the agency’s settings …')}
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
        title: enabled ? t('Switch on for all tenants?') : t('Switch off for all tenants?'),
        text: isSwitch
          ? t('This applies to every tenant of the agency that has no settings of its own, including this one.')
          : t(
              'These settings apply to every tenant of the agency that has no settings of its own, including future tenants.',
            ),
        yes: isSwitch ? (enabled ? t('Switch on') : t('Switch off')) : t('Set for all'),
      }}
      done={t('Applied to all tenants')}
    >
      {!isSwitch
        ? t('Set for all tenants …')
        : enabled
          ? t('Switch on for all tenants …')
          : t('Switch off for all tenants …')}
    </Action>
  );
};
