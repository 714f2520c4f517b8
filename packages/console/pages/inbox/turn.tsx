import type { Turn } from '../../../typescript/src/index.ts';
import { Count, Duration, Money } from '../../parts/numbers.tsx';
import { Facts } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { countText } from './content/content-words.ts';
import { noteText, turnTitle } from './words.ts';

const took = ({ begunAt, endedAt }: Turn): number | null =>
  endedAt === null ? null : Date.parse(endedAt) - Date.parse(begunAt);

/** Each request to a model, with its answer or why there was none. */
const Calls = ({ calls }: { calls: Turn['modelCalls'] }) => (
  <ol>
    {calls.map(({ model, ms, inputTokens, outputTokens, costMicros, error, purpose }, place) => (
      <li key={place}>
        {model}
        {purpose !== undefined && ` (${purpose})`}, <Duration ms={ms} />, <Count n={inputTokens} /> and{' '}
        <Count n={outputTokens} /> tokens, <Money micros={costMicros} />
        {error !== undefined && <span class="bad"> {error}</span>}
      </li>
    ))}
  </ol>
);

/** The next turn has asked the model since. */
const isToCome = (at: string | null): boolean => at !== null && Date.parse(at) > Date.now();

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
        ['First message', <Time at={turn.receivedAt} how="clock" />],
        ['About', countText(turn.inboundMessageIds.length, 'message')],
        ['Sent', countText(turn.messageIds.length, 'message')],
        ['Started', <Time at={turn.begunAt} how="clock" />],
        ['Duration', <Duration ms={took(turn)} />],
        ['Model', turn.model ?? 'No model was asked'],
        ['Cost', <Money micros={turn.costMicros} />],
        [
          'Tokens',
          <>
            <Count n={turn.inputTokens} /> in, <Count n={turn.outputTokens} /> out
          </>,
        ],
        ...(turn.modelCalls.length === 0 ? [] : [['Requests', <Calls calls={turn.modelCalls} />] as const]),
        ['Memories used', <Count n={turn.memoryIds.length} />],
        ['Restarted', `${turn.restarts} times, because of newer messages`],
        ['Changed by rules', turn.outputNotes.length === 0 ? 'Nothing' : turn.outputNotes.map(noteText).join('. ')],
        ...(isToCome(turn.retryAt) ? [['Next attempt', <Time at={turn.retryAt} how="next" />] as const] : []),
        ['ID', <span class="mono">{turn.id}</span>],
      ]}
    />
  </details>
);
