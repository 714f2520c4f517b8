import type { Turn } from '../../../sdk/typescript/src/index.ts';
import { Count, Duration, Money } from '../../parts/numbers.tsx';
import { Facts } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { turnTitle } from './words.ts';

const took = ({ begunAt, endedAt }: Turn): number | null =>
  endedAt === null ? null : Date.parse(endedAt) - Date.parse(begunAt);

/** What the agent did, and why, at the place where it did it. */
export const TurnLine = ({ turn }: { turn: Turn }) => (
  <details class={`turn ${turn.outcome}`}>
    <summary>
      <span dir="auto">
        {turnTitle(turn)}
        {turn.handoffReason !== null && `: ${turn.handoffReason}`}
      </span>
      {turn.costMicros !== null && (
        <span class="quiet">
          {' · cost '}
          <Money micros={turn.costMicros} />
        </span>
      )}
    </summary>
    <Facts
      items={[
        ['Began', <Time at={turn.begunAt} how="clock" />],
        ['Took', <Duration ms={took(turn)} />],
        ['Model', turn.model ?? 'none was asked'],
        ['Cost', <Money micros={turn.costMicros} />],
        [
          'Tokens',
          <>
            <Count n={turn.inputTokens} /> read, <Count n={turn.outputTokens} /> written
          </>,
        ],
        ['Memories shown', <Count n={turn.memoryIds.length} />],
        ['Begun again', `${turn.restarts} times, for newer messages`],
        ['Changed by rules', turn.outputNotes.length === 0 ? 'nothing' : turn.outputNotes.join(', ')],
        ...(turn.retryAt === null ? [] : [['Asked again', <Time at={turn.retryAt} />] as const]),
        ['Id', <span class="mono">{turn.id}</span>],
      ]}
    />
  </details>
);
