import { Code } from '../../parts/code.tsx';
import { Facts } from '../../parts/small.tsx';
import { Loadable } from '../../parts/panel.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { engine } from '../../shell/engine.ts';
import { readable } from './words.ts';
import { t } from '../../parts/words/t.ts';

/** Shows the posted body and its headers. Each attempt has new signatures. */
export const EventBody = ({ id, endpointId }: { id: string; endpointId: string }) => {
  const event = useLoad({ load: (signal) => engine.value.webhookEvents.read(id, {}, { signal }), deps: [id] });
  const endpoint = useLoad({
    load: (signal) => engine.value.webhookEndpoints.read(endpointId, {}, { signal }),
    deps: [endpointId],
  });
  return (
    <details>
      <summary>{t('Request')}</summary>
      <div class="stack">
        <Loadable of={endpoint}>
          {({ headers }) => (
            <Facts
              items={[
                ['webhook-id', <span class="mono">{id}</span>],
                ['webhook-timestamp', t('the time of the attempt, in Unix seconds')],
                ['webhook-signature', t("a signature of ID, timestamp and body, made with the endpoint's secret")],
                ...Object.entries(headers).map(
                  ([name, value]) => [name, <span class="mono words">{value}</span>] as const,
                ),
              ]}
            />
          )}
        </Loadable>
        <Loadable of={event}>
          {({ body }) => (
            <Code
              label={t('Body')}
              copy
              text={body === undefined ? t('The body is no longer stored.') : readable(body)}
            />
          )}
        </Loadable>
      </div>
    </details>
  );
};
