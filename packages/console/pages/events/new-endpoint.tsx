import { useState } from 'preact/hooks';
import { Section } from '../../parts/panel.tsx';
import { engine, place } from '../../shell/engine.ts';
import { go } from '../../shell/location.ts';
import { Secret } from './endpoint-actions.tsx';
import { EndpointFields } from './endpoint-fields.tsx';
import type { TypedEndpoint } from './endpoint-fields.tsx';
import { t } from '../../parts/words/t.ts';
import { useDeed } from '../../parts/use-deed.ts';

export const NewEndpoint = () => {
  const [typed, setTyped] = useState<TypedEndpoint>({ url: '', description: '', events: ['message', 'message.ack'] });
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null);
  const { problem, act: save } = useDeed(async () => {
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
  });
  return (
    <Section title={t('New endpoint')}>
      <EndpointFields typed={typed} set={setTyped} problem={problem} submit={t('Create endpoint')} save={save} />
      <Secret secret={made?.secret ?? null} close={() => go(`/events/endpoints/${made?.id ?? ''}`)} />
    </Section>
  );
};
