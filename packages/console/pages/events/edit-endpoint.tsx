import { useState } from 'preact/hooks';
import type { WebhookEndpoint } from '../../../typescript/src/index.ts';
import { engine } from '../../shell/engine.ts';
import { say } from '../../shell/say.tsx';
import { EndpointFields, isSubscribable } from './endpoint-fields.tsx';
import type { TypedEndpoint } from './endpoint-fields.tsx';
import { t } from '../../parts/words/t.ts';
import { useDeed } from '../../parts/use-deed.ts';

export const EditEndpoint = ({ endpoint, saved }: { endpoint: WebhookEndpoint; saved: () => void }) => {
  const [typed, setTyped] = useState<TypedEndpoint>({
    url: endpoint.url,
    description: endpoint.description ?? '',
    events: endpoint.events.filter(isSubscribable),
  });
  const { problem, act: save } = useDeed(async () => {
    const { description, ...rest } = typed;
    await engine.value.webhookEndpoints.update(endpoint.id, {
      ...rest,
      description: description === '' ? null : description,
    });
    say(t('Saved'));
    saved();
  });
  return <EndpointFields typed={typed} set={setTyped} problem={problem} submit={t('Save')} save={save} />;
};
