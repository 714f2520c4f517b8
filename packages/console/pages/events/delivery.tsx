import { Action } from '../../parts/action.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Badge, Facts } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { engine, isGuest, mayChangeEndpoints, who } from '../../shell/engine.ts';
import { href } from '../../shell/location.ts';
import { AttemptList } from './attempt-list.tsx';
import { useEndpointNames } from './endpoint-names.ts';
import { EventBody } from './event-body.tsx';
import { About } from './of-event.tsx';
import { classIs, deliveryIs } from './words.ts';
import { t } from '../../parts/words/t.ts';

const LOOK_MS = 5_000;

/** The delivery of one event to one endpoint. */
export const DeliveryPage = ({ id }: { id: string }) => {
  const names = useEndpointNames();
  return (
    <div class="stack">
      <Panel
        title={t('Delivery')}
        deps={[id]}
        every={LOOK_MS}
        load={(signal) =>
          engine.value.webhookDeliveries.read(id, { endpointId: who.value?.endpointId ?? undefined }, { signal })
        }
      >
        {(delivery, panel) => {
          const [tone, text] = deliveryIs(delivery.status);
          const isAll = who.value?.endpointId == null;
          return (
            <div class="stack">
              <Facts
                items={[
                  [t('Type'), <span class="mono">{delivery.eventType ?? t('No longer stored')}</span>],
                  ...(isAll ? [[t('About'), <About conversation={delivery.conversation} />] as const] : []),
                  [t('Status'), <Badge tone={tone}>{text}</Badge>],
                  [t('Last attempt'), classIs(delivery.lastClass)],
                  [t('Last response'), delivery.lastStatus],
                  [t('Attempts'), delivery.attempts],
                  [t('Event time'), <Time at={delivery.eventAt} how="clock" />],
                  [t('First attempt'), <Time at={delivery.firstAttemptAt} how="clock" />],
                  [t('Ended'), <Time at={delivery.endedAt} how="clock" />],
                  [
                    t('Next attempt'),
                    <Time at={delivery.status === 'pending' ? delivery.nextAttemptAt : null} how="next" />,
                  ],
                  ...(delivery.tenantId === null ? [] : [[t('Tenant'), delivery.tenantId] as const]),
                  ...(delivery.outOfOrder
                    ? [[t('Order'), t('Later events were sent before it, because it kept failing')] as const]
                    : []),
                  [
                    t('Endpoint'),
                    <a href={href(`/events/endpoints/${encodeURIComponent(delivery.endpointId)}`)}>
                      {names.nameOf(delivery.endpointId)}
                    </a>,
                  ],
                  ...(isAll
                    ? [
                        [
                          t('Event'),
                          <a href={href(`/events/events/${encodeURIComponent(delivery.eventId)}`)}>
                            {delivery.eventId}
                          </a>,
                        ] as const,
                      ]
                    : []),
                ]}
              />
              {mayChangeEndpoints.value && !isGuest.value && (
                <div>
                  <Action
                    run={async () => panel.set(await engine.value.webhookDeliveries.resend(id))}
                    done={t('The delivery is being resent')}
                  >
                    {t('Resend')}
                  </Action>
                </div>
              )}
              {isAll && <EventBody id={delivery.eventId} endpointId={delivery.endpointId} />}
            </div>
          );
        }}
      </Panel>
      <Panel
        title={t('Attempts')}
        deps={[id]}
        every={LOOK_MS}
        load={(signal) =>
          engine.value.webhookAttempts.list(
            { deliveryId: id, endpointId: who.value?.endpointId ?? undefined, limit: 100 },
            { signal },
          )
        }
      >
        {({ attempts }) => (
          <AttemptList
            attempts={attempts}
            columns={[{ head: t('When'), cell: ({ at }) => <Time at={at} how="clock" /> }]}
          />
        )}
      </Panel>
    </div>
  );
};
