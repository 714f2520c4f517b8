import { ChooseFirst } from '../../parts/first/choose-first.tsx';
import type { UnsentMessage } from '../../../typescript/src/index.ts';
import { Select } from '../../parts/field.tsx';
import { Section } from '../../parts/panel.tsx';
import { Badge } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { engine, place, who } from '../../shell/engine.ts';
import { href, query, setQuery } from '../../shell/location.ts';
import { STATUSES } from '../inbox/words.ts';
import { t } from '../../parts/words/t.ts';
import { PagedTable } from '../../parts/paged-table.tsx';

const CHOICES = ['failed', 'uncertain', 'queued', 'scheduled', 'cancelled'] as const;
type Choice = (typeof CHOICES)[number];
const choiceOf = (value: string | undefined): Choice => CHOICES.find((choice) => choice === value) ?? 'failed';

const List = ({ status }: { status: Choice }) => {
  const list = usePages({
    load: (cursor, signal) => engine.value.messages.list({ status, cursor, limit: 50 }, { signal }),
    items: (page) => page.messages,
    key: (message: UnsentMessage) => message.messageId,
    deps: [status],
    on: ['message.ack'],
    every: 15_000,
  });
  return (
    <div aria-busy={list.loading} class="stack">
      <PagedTable
        of={list}
        caption={t('Messages')}
        rowKey={(message) => message.messageId}
        empty={t('No messages with this status.')}
        columns={[
          {
            head: t('Message'),
            wide: true,
            cell: (message) => (
              <a href={href(`/message/${message.messageId}`)} dir="auto">
                {message.body || message.kind}
              </a>
            ),
          },
          { head: t('To'), cell: (message) => message.to },
          {
            head: t('Status'),
            cell: (message) => <Badge tone={STATUSES[message.status].tone}>{STATUSES[message.status].word}</Badge>,
          },
          { head: t('Requested'), cell: (message) => <Time at={message.createdAt} /> },
        ]}
      />
    </div>
  );
};

/** Lists unsent messages that wait or have ended: the first page for a person who misses a message. */
export const Unsent = () => {
  const status = choiceOf(query.value['status']);
  if (who.value?.tenantId === null && place.value.tenantId === undefined)
    return <ChooseFirst text={t('Choose a tenant in the menu to see its messages.')} />;
  return (
    <Section title={t('Unsent messages')}>
      <Select
        label={t('Status')}
        value={status}
        options={CHOICES.map((choice) => ({ value: choice, label: STATUSES[choice].word }))}
        onChange={(value) => setQuery({ status: value })}
      />
      <List status={status} />
    </Section>
  );
};
