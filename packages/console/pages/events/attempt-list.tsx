import type { WebhookAttempt } from '../../../typescript/src/index.ts';
import { Code } from '../../parts/code.tsx';
import { Duration } from '../../parts/numbers.tsx';
import { Badge, Facts } from '../../parts/small.tsx';
import { Table } from '../../parts/table.tsx';
import type { Column } from '../../parts/table.tsx';
import { classIs } from './words.ts';

const RESULTS: readonly Column<WebhookAttempt>[] = [
  {
    head: 'Result',
    wide: true,
    cell: (attempt) => (
      <>
        <Badge tone={attempt.class === 'delivered' ? 'good' : 'bad'}>
          {attempt.class === 'delivered' ? 'Delivered' : 'Failed'}
        </Badge>{' '}
        {attempt.class !== 'delivered' && classIs(attempt.class)}
      </>
    ),
  },
  { head: 'Response', numeric: true, cell: ({ status }) => status ?? 'None' },
  { head: 'Duration', numeric: true, cell: ({ durationMs }) => <Duration ms={durationMs} /> },
  { head: 'More', cell: (attempt) => <Details attempt={attempt} /> },
];

const Details = ({ attempt }: { attempt: WebhookAttempt }) => (
  <details>
    <summary aria-label={`Details of attempt ${attempt.number} of delivery ${attempt.deliveryId}`}>
      Attempt {attempt.number}
    </summary>
    <div class="stack">
      {attempt.likelyConfiguration && (
        <p>The receiver is probably set up wrongly: this keeps failing until someone corrects it.</p>
      )}
      <Facts
        items={[
          [
            'Connected after',
            attempt.reusedConnection ? 'An existing connection was used' : <Duration ms={attempt.connectMs} />,
          ],
          ['First byte after', <Duration ms={attempt.firstByteMs} />],
          ...(attempt.probe ? [['Purpose', 'To test whether the receiver works again'] as const] : []),
          ...(attempt.location === null
            ? []
            : [['Redirected to', <span class="words">{attempt.location}</span>] as const]),
        ]}
      />
      {attempt.responseExcerpt !== null && attempt.responseExcerpt !== '' && (
        <Code
          label={`Response to attempt ${attempt.number} of delivery ${attempt.deliveryId} at ${attempt.at}`}
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
    caption="Attempts, the newest first"
    rows={attempts}
    rowKey={({ deliveryId, number, at }) => `${deliveryId} ${number} ${at}`}
    empty="No attempts match."
    columns={[...columns, ...RESULTS]}
  />
);
