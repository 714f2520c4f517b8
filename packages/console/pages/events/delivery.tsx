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

const LOOK_MS = 5_000;

/** The delivery of one event to one endpoint. */
export const DeliveryPage = ({ id }: { id: string }) => {
  const names = useEndpointNames();
  return (
    <div class="stack">
      <Panel
        title="Delivery"
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
                  ['Type', <span class="mono">{delivery.eventType ?? 'No longer stored'}</span>],
                  ...(isAll ? [['About', <About conversation={delivery.conversation} />] as const] : []),
                  ['Status', <Badge tone={tone}>{text}</Badge>],
                  ['Last attempt', classIs(delivery.lastClass)],
                  ['Last response', delivery.lastStatus],
                  ['Attempts', delivery.attempts],
                  ['Event time', <Time at={delivery.eventAt} how="clock" />],
                  ['First attempt', <Time at={delivery.firstAttemptAt} how="clock" />],
                  ['Ended', <Time at={delivery.endedAt} how="clock" />],
                  [
                    'Next attempt',
                    <Time at={delivery.status === 'pending' ? delivery.nextAttemptAt : null} how="next" />,
                  ],
                  ...(delivery.tenantId === null ? [] : [['Tenant', delivery.tenantId] as const]),
                  ...(delivery.outOfOrder
                    ? [['Order', 'Later events were sent before it, because it kept failing'] as const]
                    : []),
                  [
                    'Endpoint',
                    <a href={href(`/events/endpoints/${encodeURIComponent(delivery.endpointId)}`)}>
                      {names.nameOf(delivery.endpointId)}
                    </a>,
                  ],
                  ...(isAll
                    ? [
                        [
                          'Event',
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
                    done="The delivery is being resent"
                  >
                    Resend
                  </Action>
                </div>
              )}
              {isAll && <EventBody id={delivery.eventId} endpointId={delivery.endpointId} />}
            </div>
          );
        }}
      </Panel>
      <Panel
        title="Attempts"
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
            columns={[{ head: 'When', cell: ({ at }) => <Time at={at} how="clock" /> }]}
          />
        )}
      </Panel>
    </div>
  );
};
