import type { WebhookAttempt } from '../../../typescript/src/index.ts';
import { Code } from '../../parts/code.tsx';
import { Duration } from '../../parts/numbers.tsx';
import { Badge, Facts } from '../../parts/small.tsx';
import { Table } from '../../parts/table.tsx';
import type { Column } from '../../parts/table.tsx';
import { classIs } from './words.ts';
import { t } from '../../parts/words/t.ts';

const RESULTS: readonly Column<WebhookAttempt>[] = [
  {
    head: t('Result'),
    wide: true,
    cell: (attempt) => (
      <>
        <Badge tone={attempt.class === 'delivered' ? 'good' : 'bad'}>
          {attempt.class === 'delivered' ? t('Delivered') : t('Failed')}
        </Badge>{' '}
        {attempt.class !== 'delivered' && classIs(attempt.class)}
      </>
    ),
  },
  { head: t('Response'), numeric: true, cell: ({ status }) => status ?? t('None') },
  { head: t('Duration'), numeric: true, cell: ({ durationMs }) => <Duration ms={durationMs} /> },
  { head: t('More'), cell: (attempt) => <Details attempt={attempt} /> },
];

const Details = ({ attempt }: { attempt: WebhookAttempt }) => (
  <details>
    <summary aria-label={t('Details of attempt {0} of delivery {1}', attempt.number, attempt.deliveryId)}>
      {t('Attempt')} {attempt.number}
    </summary>
    <div class="stack">
      {attempt.likelyConfiguration && (
        <p>{t('The receiver is probably set up wrongly: this keeps failing until someone corrects it.')}</p>
      )}
      <Facts
        items={[
          [
            t('Connected after'),
            attempt.reusedConnection ? t('Reused a connection') : <Duration ms={attempt.connectMs} />,
          ],
          [t('First byte after'), <Duration ms={attempt.firstByteMs} />],
          ...(attempt.probe ? [[t('Purpose'), t('To test whether the receiver works again')] as const] : []),
          ...(attempt.location === null
            ? []
            : [[t('Redirected to'), <span class="words">{attempt.location}</span>] as const]),
        ]}
      />
      {attempt.responseExcerpt !== null && attempt.responseExcerpt !== '' && (
        <Code
          label={t('Response to attempt {0} of delivery {1} at {2}', attempt.number, attempt.deliveryId, attempt.at)}
          text={attempt.responseExcerpt}
        />
      )}
    </div>
  </details>
);

/** Single requests as rows, each with its response and its times behind it. */
export const AttemptList = ({
  attempts,
  columns,
}: {
  attempts: readonly WebhookAttempt[];
  /** The columns before the result. */
  columns: readonly Column<WebhookAttempt>[];
}) => (
  <Table
    caption={t('Attempts, the newest first')}
    rows={attempts}
    rowKey={({ deliveryId, number, at }) => `${deliveryId} ${number} ${at}`}
    empty={t('No attempts match.')}
    columns={[...columns, ...RESULTS]}
  />
);
