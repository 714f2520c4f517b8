import { useState } from 'preact/hooks';
import type { StreamedEvent } from '../../../typescript/src/index.ts';
import { live, paused } from '../../live/live.ts';
import { useLive } from '../../live/use-live.ts';
import { Section } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { href } from '../../shell/location.ts';

const MAX_KEPT = 200;

/** What happens, as it happens. The pause of the console stops it, too. */
export const Tail = () => {
  const [events, setEvents] = useState<readonly StreamedEvent[]>([]);
  useLive(['*'], (event) =>
    setEvents((before) => [event, ...before.filter(({ id }) => id !== event.id)].slice(0, MAX_KEPT)),
  );
  return (
    <Section
      title="Live"
      actions={
        <>
          <button type="button" aria-pressed={paused.value} onClick={() => (paused.value = !paused.value)}>
            {paused.value ? 'Resume' : 'Pause'}
          </button>
          <button type="button" onClick={() => setEvents([])}>
            Clear
          </button>
        </>
      }
    >
      <p class="quiet" role="status">
        {live.value === 'live'
          ? `Listening. Up to ${MAX_KEPT} of the newest events are shown.`
          : `The stream is ${live.value.replace('-', ' ')}.`}
      </p>
      <Table
        caption="Events as they happen, the newest first"
        rows={events}
        rowKey={({ id }) => id}
        empty="No events since you opened this page."
        columns={[
          { head: 'When', cell: ({ createdAt }) => <Time at={createdAt} how="clock" /> },
          {
            head: 'Type',
            cell: ({ id, type }) => (
              <a class="mono" href={href(`/events/events/${encodeURIComponent(id)}`)}>
                {type}
              </a>
            ),
          },
          { head: 'Tenant', cell: ({ tenantId }) => tenantId ?? '–' },
          {
            head: 'Conversation',
            cell: ({ conversationId }) =>
              conversationId !== null && <a href={href(`/inbox/${encodeURIComponent(conversationId)}`)}>Open</a>,
          },
        ]}
      />
    </Section>
  );
};
