import { useState } from 'preact/hooks';
import type { StreamedEvent } from '../../../typescript/src/index.ts';
import { LIVE_WORDS } from '../../live/live-words.ts';
import { live, paused } from '../../live/live.ts';
import { useLive } from '../../live/use-live.ts';
import { Section } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { href } from '../../shell/location.ts';
import { t } from '../../parts/words/t.ts';

const MAX_KEPT = 200;

/** Shows events as they arrive. The console's pause stops it, too. */
export const Tail = () => {
  const [events, setEvents] = useState<readonly StreamedEvent[]>([]);
  useLive(['*'], (event) =>
    setEvents((before) => [event, ...before.filter(({ id }) => id !== event.id)].slice(0, MAX_KEPT)),
  );
  return (
    <Section
      title={t('Live')}
      actions={
        <>
          <button type="button" aria-pressed={paused.value} onClick={() => (paused.value = !paused.value)}>
            {paused.value ? t('Resume') : t('Pause')}
          </button>
          <button type="button" onClick={() => setEvents([])}>
            {t('Clear')}
          </button>
        </>
      }
    >
      <p class="quiet" role="status">
        {live.value === 'live'
          ? t('Listening. Shows up to {0} of the newest events.', MAX_KEPT)
          : t('The stream is not live: {0}.', LIVE_WORDS[live.value].toLowerCase())}
      </p>
      <Table
        caption={t('Events as they happen, the newest first')}
        rows={events}
        rowKey={({ id }) => id}
        empty={t('No events since you opened this page.')}
        columns={[
          { head: t('When'), cell: ({ createdAt }) => <Time at={createdAt} how="clock" /> },
          {
            head: t('Type'),
            cell: ({ id, type }) => (
              <a class="mono" href={href(`/events/events/${encodeURIComponent(id)}`)}>
                {type}
              </a>
            ),
          },
          { head: t('Tenant'), cell: ({ tenantId }) => tenantId ?? '–' },
          {
            head: t('Conversation'),
            cell: ({ conversationId }) =>
              conversationId !== null && <a href={href(`/inbox/${encodeURIComponent(conversationId)}`)}>{t('Open')}</a>,
          },
        ]}
      />
    </Section>
  );
};
