import { Action } from '../../parts/action.tsx';
import { Code } from '../../parts/code.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Badge, Facts } from '../../parts/small.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { engine, mayChangeEndpoints } from '../../shell/engine.ts';
import { href } from '../../shell/location.ts';
import { classIs, deliveryIs, readable } from './words.ts';

const LOOK_MS = 5_000;

export const EventPage = ({ id }: { id: string }) => (
  <Panel
    title="Event"
    deps={[id]}
    every={LOOK_MS}
    load={(signal) => engine.value.webhookEvents.read(id, {}, { signal })}
  >
    {(event, panel) => (
      <div class="stack">
        <Facts
          items={[
            ['Type', <span class="mono">{event.type}</span>],
            ['When', <Time at={event.createdAt} how="clock" />],
            ['Tenant', event.tenantId ?? '–'],
            ['Sequence in its session', event.sequence],
            ...(event.conversationId === null
              ? []
              : [
                  [
                    'Conversation',
                    <a href={href(`/inbox/${encodeURIComponent(event.conversationId)}`)}>{event.conversationId}</a>,
                  ] as const,
                ]),
            ['ID', <span class="mono">{event.id}</span>],
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
                title: 'Resend this event?',
                text: 'Every endpoint that gets events of this type gets it again.',
                yes: 'Resend',
              }}
              done="The event is being resent"
            >
              Resend to all …
            </Action>
          </div>
        )}
        <Table
          caption="Deliveries of this event"
          rows={event.deliveries}
          rowKey={(delivery) => delivery.id}
          empty="No endpoint gets events of this type."
          columns={[
            {
              head: 'Endpoint',
              cell: ({ id: delivery, endpointId }) => (
                <a href={href(`/events/deliveries/${encodeURIComponent(delivery)}`)}>{endpointId}</a>
              ),
            },
            {
              head: 'Status',
              cell: ({ status }) => {
                const [tone, text] = deliveryIs(status);
                return <Badge tone={tone}>{text}</Badge>;
              },
            },
            { head: 'Attempts', numeric: true, cell: ({ attempts }) => attempts },
            { head: 'Last attempt', wide: true, cell: ({ lastClass }) => classIs(lastClass) },
          ]}
        />
        <Code
          label="Body"
          copy
          text={event.body === undefined ? 'The body is no longer stored.' : readable(event.body)}
        />
      </div>
    )}
  </Panel>
);
