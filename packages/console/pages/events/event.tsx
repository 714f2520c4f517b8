import { Action } from '../../parts/action.tsx';
import { Code } from '../../parts/code.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Badge, Facts } from '../../parts/small.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { engine, mayChangeEndpoints } from '../../shell/engine.ts';
import { href } from '../../shell/location.ts';
import { classIs, deliveryIs, readable } from './words.ts';
import { t } from '../../parts/words/t.ts';

const LOOK_MS = 5_000;

export const EventPage = ({ id }: { id: string }) => (
  <Panel
    title={t('Event')}
    deps={[id]}
    every={LOOK_MS}
    load={(signal) => engine.value.webhookEvents.read(id, {}, { signal })}
  >
    {(event, panel) => (
      <div class="stack">
        <Facts
          items={[
            [t('Type'), <span class="mono">{event.type}</span>],
            [t('When'), <Time at={event.createdAt} how="clock" />],
            [t('Tenant'), event.tenantId ?? '–'],
            [t('Sequence in its session'), event.sequence],
            ...(event.conversationId === null
              ? []
              : [
                  [
                    t('Conversation'),
                    <a href={href(`/inbox/${encodeURIComponent(event.conversationId)}`)}>{event.conversationId}</a>,
                  ] as const,
                ]),
            [t('ID'), <span class="mono">{event.id}</span>],
          ]}
        />
        {mayChangeEndpoints.value && (
          <div>
            <Action
              run={async () => {
                await engine.value.webhookEvents.resend(id, {});
                panel.reload();
              }}
              confirm={{
                title: t('Resend this event?'),
                text: t('Every endpoint that gets events of this type gets it again.'),
                yes: t('Resend'),
              }}
              done={t('The event is being resent')}
            >
              {t('Resend to all …')}
            </Action>
          </div>
        )}
        <Table
          caption={t('Deliveries of this event')}
          rows={event.deliveries}
          rowKey={(delivery) => delivery.id}
          empty={t('No endpoint gets events of this type.')}
          columns={[
            {
              head: t('Endpoint'),
              cell: ({ id: delivery, endpointId }) => (
                <a href={href(`/events/deliveries/${encodeURIComponent(delivery)}`)}>{endpointId}</a>
              ),
            },
            {
              head: t('Status'),
              cell: ({ status }) => {
                const [tone, text] = deliveryIs(status);
                return <Badge tone={tone}>{text}</Badge>;
              },
            },
            { head: t('Attempts'), numeric: true, cell: ({ attempts }) => attempts },
            { head: t('Last attempt'), wide: true, cell: ({ lastClass }) => classIs(lastClass) },
          ]}
        />
        <Code
          label={t('Body')}
          copy
          text={event.body === undefined ? t('The body is no longer stored.') : readable(event.body)}
        />
      </div>
    )}
  </Panel>
);
