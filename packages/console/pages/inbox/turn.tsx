import type { Turn } from '../../../typescript/src/index.ts';
import { Count, Duration, Money } from '../../parts/numbers.tsx';
import { Facts } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { messagesText } from './content/content-words.ts';
import { noteText, turnTitle } from './words.ts';
import { t } from '../../parts/words/t.ts';

const took = ({ begunAt, endedAt }: Turn): number | null =>
  endedAt === null ? null : Date.parse(endedAt) - Date.parse(begunAt);

/** Each request to a model, with its answer or why there was none. */
const Calls = ({ calls }: { calls: Turn['modelCalls'] }) => (
  <ol>
    {calls.map(({ model, ms, inputTokens, outputTokens, costMicros, error, purpose }, place) => (
      <li key={place}>
        {model}
        {purpose !== undefined && ` (${purpose})`}, <Duration ms={ms} />, <Count n={inputTokens} /> {t('and')}{' '}
        <Count n={outputTokens} /> {t('tokens,')} <Money micros={costMicros} />
        {error !== undefined && <span class="bad"> {error}</span>}
      </li>
    ))}
  </ol>
);

/** The next turn has asked the model since. */
const isToCome = (at: string | null): boolean => at !== null && Date.parse(at) > Date.now();

/** Shows the agent's action and its reason, at its place in the thread. */
export const TurnLine = ({ turn }: { turn: Turn }) => (
  <details class={`turn ${turn.outcome}`}>
    <summary>
      <span dir="auto">
        {turnTitle(turn)}
        {turn.handoffReason !== null && `: ${turn.handoffReason}`}
      </span>
      {turn.costMicros !== null && (
        <span class="quiet">
          {t(' · cost ')}
          <Money micros={turn.costMicros} />
        </span>
      )}
    </summary>
    <Facts
      items={[
        [t('First message'), <Time at={turn.receivedAt} how="clock" />],
        [t('About'), messagesText(turn.inboundMessageIds.length)],
        [t('Sent'), messagesText(turn.messageIds.length)],
        [t('Started'), <Time at={turn.begunAt} how="clock" />],
        [t('Duration'), <Duration ms={took(turn)} />],
        [t('Model'), turn.model ?? t('No model was asked')],
        [t('Cost'), <Money micros={turn.costMicros} />],
        [
          t('Tokens'),
          <>
            <Count n={turn.inputTokens} /> {t('in,')} <Count n={turn.outputTokens} /> {t('out')}
          </>,
        ],
        ...(turn.modelCalls.length === 0 ? [] : [[t('Requests'), <Calls calls={turn.modelCalls} />] as const]),
        [t('Memories used'), <Count n={turn.memoryIds.length} />],
        [t('Restarted'), t('{0} times, because of newer messages', turn.restarts)],
        [
          t('Changed by rules'),
          turn.outputNotes.length === 0 ? t('Nothing') : turn.outputNotes.map(noteText).join('. '),
        ],
        ...(isToCome(turn.retryAt) ? [[t('Next attempt'), <Time at={turn.retryAt} how="next" />] as const] : []),
        [t('ID'), <span class="mono">{turn.id}</span>],
      ]}
    />
  </details>
);
