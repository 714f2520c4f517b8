import { Marked } from '../../parts/marked.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Badge } from '../../parts/small.tsx';
import { engine } from '../../shell/engine.ts';
import { href } from '../../shell/location.ts';
import { t } from '../../parts/words/t.ts';

export const Definitions = () => (
  <Panel
    title={t('Automations')}
    load={async (signal) => {
      const [{ definitions }, { automations }] = await Promise.all([
        engine.value.automations.listDefinitions({}, { signal }),
        engine.value.automations.list({}, { signal }),
      ]);
      return definitions.map((definition) => ({
        ...definition,
        isOn: automations.some(({ automation, enabled }) => automation === definition.name && enabled),
      }));
    }}
  >
    {(definitions) => (
      <ul class="stack" aria-label={t('Automations')}>
        {definitions.map(({ name, title, description, isOn }) => (
          <li key={name} class="panel">
            <div class="spread">
              <h3>
                <a href={href(`/automations/all/${encodeURIComponent(name)}`)}>{title}</a>
              </h3>
              <Badge tone={isOn ? 'good' : 'quiet'}>{isOn ? t('On') : t('Off')}</Badge>
            </div>
            <p class="words">
              <Marked text={description} />
            </p>
          </li>
        ))}
      </ul>
    )}
  </Panel>
);
