import type { WebhookAttempt } from '../../../sdk/typescript/src/index.ts';
import { Code } from '../../parts/code.tsx';
import { Duration } from '../../parts/numbers.tsx';
import { Badge, Facts } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { classIs } from './words.ts';

/** Single requests, each with its answer and its times. */
export const AttemptList = ({ attempts }: { attempts: readonly WebhookAttempt[] }) =>
  attempts.length === 0 ? (
    <p class="quiet">Nothing was tried yet.</p>
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
            {attempt.likelyConfiguration && ' This is likely a setting of the receiver, and will not mend itself.'}
          </p>
          <Facts
            items={[
              ['When', <Time at={attempt.at} how="clock" />],
              ['Answer', attempt.status ?? 'none'],
              ['Took', <Duration ms={attempt.durationMs} />],
              [
                'Connected after',
                attempt.reusedConnection ? 'the connection was there' : <Duration ms={attempt.connectMs} />,
              ],
              ['First byte after', <Duration ms={attempt.firstByteMs} />],
              ...(attempt.probe ? [['Kind', 'A trial, to see whether it answers again'] as const] : []),
              ...(attempt.location === null
                ? []
                : [['Sent us to', <span class="words">{attempt.location}</span>] as const]),
            ]}
          />
          {attempt.responseExcerpt !== null && attempt.responseExcerpt !== '' && (
            <Code
              label={`What the receiver answered to attempt ${attempt.number} of delivery ${attempt.deliveryId} at ${attempt.at}`}
              text={attempt.responseExcerpt}
            />
          )}
        </li>
      ))}
    </ol>
  );
