import type { PageProps } from '../../shell/page.ts';
import { AgencyFirst } from '../../parts/first/agency-first.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Tabs } from '../../parts/small.tsx';
import { href } from '../../shell/location.ts';
import { isGuest, who } from '../../shell/engine.ts';
import { Attempts } from './attempts.tsx';
import { DeliveryPage } from './delivery.tsx';
import { Deliveries } from './deliveries.tsx';
import { EndpointPage } from './endpoint.tsx';
import { Endpoints } from './endpoints.tsx';
import { EventPage } from './event.tsx';
import { Events } from './events.tsx';
import { NewEndpoint } from './new-endpoint.tsx';
import { Tail } from './tail.tsx';
import { t } from '../../parts/words/t.ts';

const TABS = [
  ['endpoints', t('Endpoints')],
  ['events', t('Events')],
  ['deliveries', t('Deliveries')],
  ['attempts', t('Attempts')],
  ['live', t('Live')],
] as const;

/** The tabs of a link to one endpoint: it hides other endpoints and the events of all. */
const OF_ONE = ['endpoints', 'deliveries', 'attempts'];
/** The tabs of a link to a tenant's events, and of a session key: endpoints belong to the agency. */
const OF_TENANT = ['events', 'deliveries', 'attempts', 'live'];

const tabsOf = (): readonly (typeof TABS)[number][] => {
  if (!isGuest.value && who.value?.kind !== 'session') return TABS;
  const shown = who.value?.endpointId == null ? OF_TENANT : OF_ONE;
  return TABS.filter(([value]) => shown.includes(value));
};

const View = ({ tab, id }: { tab: string; id: string | undefined }) => {
  if (tab === 'endpoints' && id === 'new') return <NewEndpoint />;
  if (tab === 'endpoints') return id === undefined ? <Endpoints /> : <EndpointPage id={id} />;
  if (tab === 'deliveries') return id === undefined ? <Deliveries /> : <DeliveryPage id={id} />;
  if (tab === 'attempts') return <Attempts />;
  if (tab === 'live') return <Tail />;
  return id === undefined ? <Events /> : <EventPage id={id} />;
};

export default function EventsPage({ params }: PageProps) {
  const only = who.value?.endpointId ?? null;
  const tabs = tabsOf();
  const [first] = tabs;
  const tab = tabs.find(([value]) => value === params['tab'])?.[0] ?? first?.[0] ?? 'endpoints';
  const id = params['id'] ?? (tab === 'endpoints' && only !== null ? only : undefined);
  return (
    <>
      <PageHead
        title={only === null ? t('Events and endpoints') : t('Your endpoint')}
        text={t('The events that the engine sends to other programs, and whether they arrived.')}
      />
      <Tabs
        label={t('Views')}
        value={tab}
        options={tabs.map(([value, label]) => ({
          value,
          label: only !== null && value === 'endpoints' ? t('Endpoint') : label,
          href: href(`/events/${value}`),
        }))}
      />
      <AgencyFirst>
        <View key={`${tab} ${id ?? ''}`} tab={tab} id={id} />
      </AgencyFirst>
    </>
  );
}
