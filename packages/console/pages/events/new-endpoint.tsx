import { useState } from 'preact/hooks';
import { Section } from '../../parts/panel.tsx';
import { toFailure } from '../../parts/problem.tsx';
import type { Failure } from '../../parts/problem.tsx';
import { engine, place } from '../../shell/engine.ts';
import { go } from '../../shell/location.ts';
import { Secret } from './endpoint-actions.tsx';
import { EndpointFields } from './endpoint-fields.tsx';
import type { TypedEndpoint } from './endpoint-fields.tsx';

export const NewEndpoint = () => {
  const [typed, setTyped] = useState<TypedEndpoint>({ url: '', description: '', events: ['message', 'message.ack'] });
  const [problem, setProblem] = useState<Failure | null>(null);
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null);
  const save = async (): Promise<void> => {
    setProblem(null);
    try {
      const { tenantId } = place.value;
      const { description, ...rest } = typed;
      const tenants = tenantId === undefined ? {} : { tenantIds: [tenantId] };
      setMade(
        await engine.value.webhookEndpoints.create({
          ...rest,
          ...tenants,
          ...(description === '' ? {} : { description }),
        }),
      );
    } catch (error) {
      setProblem(toFailure(error));
    }
  };
  return (
    <Section title="New endpoint">
      <EndpointFields typed={typed} set={setTyped} problem={problem} submit="Create endpoint" save={save} />
      <Secret secret={made?.secret ?? null} close={() => go(`/events/endpoints/${made?.id ?? ''}`)} />
    </Section>
  );
};
