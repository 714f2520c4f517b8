import { Panel } from '../../parts/panel.tsx';
import { Badge } from '../../parts/small.tsx';
import { Table } from '../../parts/table.tsx';
import { engineOfAll, who } from '../../shell/engine.ts';
import { delayText } from '../../shell/delay-words.ts';
import { EngineWorkPanel } from './engine-work.tsx';
import { healthText, partText } from './words.ts';
import { t } from '../../parts/words/t.ts';

const LOOK_MS = 15_000;

/** Whether the engine works and keeps up. The line below the menu says the same in short. */
export const Health = () => (
  <>
    <Panel title={t('The engine')} every={LOOK_MS} load={(signal) => engineOfAll.health.read({ signal })}>
      {(health) => {
        const late = delayText(health);
        const [tone, text] = healthText(health.dependencies);
        return (
          <div class="stack">
            <p class="row">
              <Badge tone={tone}>{text}</Badge> {t('version')} {health.version}
            </p>
            {late !== null && <p>{late}</p>}
            <Table
              caption={t('Services of the engine')}
              rows={health.dependencies}
              rowKey={({ name }) => name}
              empty={t('Nothing.')}
              columns={[
                { head: t('Part'), cell: ({ name }) => name },
                {
                  head: t('Status'),
                  cell: (part) => {
                    const [of, is] = partText(part);
                    return <Badge tone={of}>{is}</Badge>;
                  },
                },
                { head: t('Reason'), wide: true, cell: ({ reason }) => reason ?? '–' },
              ]}
            />
          </div>
        );
      }}
    </Panel>
    {who.value?.kind === 'master' && <EngineWorkPanel />}
  </>
);
