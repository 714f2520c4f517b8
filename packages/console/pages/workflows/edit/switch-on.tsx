import { useEffect, useRef, useState } from 'preact/hooks';
import type { WorkflowHook } from '../../../../typescript/src/index.ts';
import { Action } from '../../../parts/action.tsx';
import { Code } from '../../../parts/code.tsx';
import { TenantFirst } from '../../../parts/first/tenant-first.tsx';
import { Loadable } from '../../../parts/panel.tsx';
import { Badge } from '../../../parts/small.tsx';
import { useLoad } from '../../../parts/use-load.ts';
import { t } from '../../../parts/words/t.ts';
import { engine, mayDo } from '../../../shell/engine.ts';
import { href } from '../../../shell/location.ts';
import { readSet, Settings } from '../../automations/definition.tsx';
import { ForAll } from '../../automations/for-all.tsx';

interface SwitchOnProps {
  automation: string;
  params: Record<string, unknown>;
  version: number;
  isChanged: boolean;
}

/** Switches the saved version on for the chosen tenant, with its parameters. */
export const SwitchOn = (props: SwitchOnProps) => (
  <TenantFirst>
    <OfTenant {...props} />
  </TenantFirst>
);

const OfTenant = ({ automation, params, version, isChanged }: SwitchOnProps) => {
  const set = useLoad({ load: (signal) => readSet(automation, signal), deps: [automation] });
  // Another version must not take what is typed into its parameters, as another subject would.
  const read = useRef(version);
  useEffect(() => {
    if (read.current !== version) set.reload();
    read.current = version;
  }, [version]);
  return (
    <Loadable of={set}>
      {(now) => (
        <>
          <p class="spread">
            <a href={href('/automations/runs', { automation })}>{t('Show runs')}</a>
            <Badge tone={now?.enabled ? 'good' : 'quiet'}>{now?.enabled ? t('On') : t('Off')}</Badge>
          </p>
          {isChanged && <p class="quiet">{t('Only saved changes take effect. Save first.')}</p>}
          <Settings definition={{ name: automation, params }} set={now} changed={set.reload} />
          {now && <ForAll set={now} changed={set.reload} />}
          {now?.enabled && mayDo('ai:admin') && <Hook automation={automation} />}
        </>
      )}
    </Loadable>
  );
};

/** The address to which another system posts, with its secret. */
const Hook = ({ automation }: { automation: string }) => {
  const [made, setMade] = useState<WorkflowHook | null>(null);
  return (
    <section class="panel" aria-label={t('Webhook address')}>
      <h3>{t('Webhook address')}</h3>
      <p class="small quiet">
        {t('Another system starts the workflow by a post to this address. A new secret replaces the old one.')}
      </p>
      <div class="row">
        <Action run={async () => setMade(await engine.value.workflows.makeHook(automation))}>
          {t('Make an address')}
        </Action>
        <Action
          tone="danger"
          run={async () => {
            await engine.value.workflows.deleteHook(automation);
            setMade(null);
          }}
          confirm={{
            title: t('Delete the address?'),
            text: t('Posts to it are refused from then on.'),
            yes: t('Delete'),
            danger: true,
          }}
          done={t('The address is deleted')}
        >
          {t('Delete …')}
        </Action>
      </div>
      {made && (
        <>
          <Code label={t('URL')} text={made.url} copy />
          <p>{t('The secret is shown only now:')}</p>
          <Code label={t('Secret')} text={made.secret} copy />
        </>
      )}
    </section>
  );
};
