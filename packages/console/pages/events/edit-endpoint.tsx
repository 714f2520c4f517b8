import { useState } from 'preact/hooks';
import type { WebhookEndpoint } from '../../../typescript/src/index.ts';
import { toFailure } from '../../parts/problem.tsx';
import type { Failure } from '../../parts/problem.tsx';
import { engine } from '../../shell/engine.ts';
import { say } from '../../shell/say.tsx';
import { EndpointFields, isSubscribable } from './endpoint-fields.tsx';
import type { TypedEndpoint } from './endpoint-fields.tsx';

export const EditEndpoint = ({ endpoint, saved }: { endpoint: WebhookEndpoint; saved: () => void }) => {
  const [typed, setTyped] = useState<TypedEndpoint>({
    url: endpoint.url,
    description: endpoint.description ?? '',
    events: endpoint.events.filter(isSubscribable),
  });
  const [problem, setProblem] = useState<Failure | null>(null);
  const save = async (): Promise<void> => {
    setProblem(null);
    try {
      const { description, ...rest } = typed;
      await engine.value.webhookEndpoints.update(endpoint.id, {
        ...rest,
        description: description === '' ? null : description,
      });
      say('Saved');
      saved();
    } catch (error) {
      setProblem(toFailure(error));
    }
  };
  return <EndpointFields typed={typed} set={setTyped} problem={problem} submit="Save" save={save} />;
};
