import type { WebhookAttempt } from '../../../sdk/typescript/src/index.ts';
import { Code } from '../../parts/code.tsx';
import { Duration } from '../../parts/numbers.tsx';
import { Badge, Facts } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { classIs } from './words.ts';

/** Single requests, each with its answer and its times. */
export const AttemptList = ({ attempts }: { attempts: readonly WebhookAttempt[] }) =>
  attempts.length === 0 ? (
    <p class="quiet">No attempts yet.</p>
  ) : (
    <ol class="stack" aria-label="Attempts, the newest first">
      {attempts.map((attempt) => (
        <li key={`${attempt.deliveryId} ${attempt.number} ${attempt.at}`} class="panel">
          <div class="spread">
            <strong>Attempt {attempt.number}</strong>
            <Badge tone={attempt.class === 'delivered' ? 'good' : 'bad'}>
              {attempt.class === 'delivered' ? 'Delivered' : 'Failed'}
            </Badge>
          </div>
          <p>
            {classIs(attempt.class)}.
            {attempt.likelyConfiguration &&
              ' The receiver is probably set up wrongly: this keeps failing until someone corrects it.'}
          </p>
          <Facts
            items={[
              ['When', <Time at={attempt.at} how="clock" />],
              ['Response', attempt.status ?? 'None'],
              ['Duration', <Duration ms={attempt.durationMs} />],
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
        </li>
      ))}
    </ol>
  );
