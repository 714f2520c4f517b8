import { useState } from 'preact/hooks';
import { Action } from '../../parts/action.tsx';
import { Field } from '../../parts/field.tsx';
import { Count } from '../../parts/numbers.tsx';
import { Section } from '../../parts/panel.tsx';
import { say } from '../../shell/say.tsx';
import { engine } from '../../shell/engine.ts';
import { t } from '../../parts/words/t.ts';

/** An hour ago, as the browser's own field for times writes it: the time of the person's own zone. */
const hourAgo = (): string => {
  const at = new Date(Date.now() - 3_600_000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

const MAX_STEPS = 200;

/** Sends what an endpoint missed: first it is counted, and nothing is sent before a person has seen how much it is. */
export const Replay = ({ id, changed }: { id: string; changed: () => void }) => {
  const [since, setSince] = useState(hourAgo);
  const [until, setUntil] = useState('');
  const [what, setWhat] = useState<'recover' | 'replay'>('recover');
  const [counted, setCounted] = useState<number | null>(null);

  const span = () => ({
    since: new Date(since).toISOString(),
    ...(until === '' ? {} : { until: new Date(until).toISOString() }),
  });
  /** The engine takes a long span in steps. */
  const inSteps = async (dryRun: boolean): Promise<number> => {
    const { webhookEndpoints } = engine.value;
    let sum = 0;
    let continueFrom: string | undefined;
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const answer = await webhookEndpoints[what](id, { ...span(), dryRun, continueFrom });
      sum += answer.count;
      if (answer.continueFrom === null) break;
      continueFrom = answer.continueFrom;
    }
    return sum;
  };
  const change = (set: (value: string) => void) => (event: { currentTarget: { value: string } }) => {
    set(event.currentTarget.value);
    setCounted(null);
  };

  return (
    <Section title={t('Resend missed events')}>
      <div class="filters">
        <Field label={t('Events to resend')}>
          {(props) => (
            <select
              {...props}
              value={what}
              onChange={(event) => {
                setWhat(event.currentTarget.value === 'replay' ? 'replay' : 'recover');
                setCounted(null);
              }}
            >
              <option value="recover">{t('Only dead-lettered deliveries')}</option>
              <option value="replay">{t('All events, including delivered ones')}</option>
            </select>
          )}
        </Field>
        <Field label={t('From')}>
          {(props) => <input {...props} type="datetime-local" required value={since} onInput={change(setSince)} />}
        </Field>
        <Field label={t('Until')} hint={t('Leave empty for now.')}>
          {(props) => <input {...props} type="datetime-local" value={until} onInput={change(setUntil)} />}
        </Field>
      </div>
      <div class="row">
        <Action disabled={since === ''} run={async () => setCounted(await inSteps(true))}>
          {t('Count events')}
        </Action>
        {counted !== null && (
          <>
            <p role="status">
              <Count n={counted} /> {counted === 1 ? t('event') : t('events')}{' '}
              {t('would be sent. Nothing has been sent yet.')}
            </p>
            {counted > 0 && (
              <Action
                tone="primary"
                run={async () => {
                  const sent = await inSteps(false);
                  setCounted(null);
                  say(sent === 1 ? t('1 event is being resent') : t('{0} events are being resent', sent));
                  changed();
                }}
              >
                {t('Resend them')}
              </Action>
            )}
          </>
        )}
      </div>
    </Section>
  );
};
