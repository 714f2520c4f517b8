import { useState } from 'preact/hooks';
import type { WebhookDelivery } from '../../../typescript/src/index.ts';
import { Action } from '../../parts/action.tsx';
import { toFailure } from '../../parts/failure.ts';
import { engine } from '../../shell/engine.ts';
import { say } from '../../shell/say.tsx';
import { doneText, oldestFirst, toEach } from './bulk.ts';
import type { BulkDeed, Done } from './bulk.ts';
import { t } from '../../parts/words/t.ts';

interface ChosenBarProps {
  /** The rows that are shown; what is chosen and no longer shown counts no more. */
  rows: readonly WebhookDelivery[];
  chosen: ReadonlySet<string>;
  choose: (ids: ReadonlySet<string>) => void;
  changed: () => void;
}

/** Resends or cancels what is chosen in the table of deliveries. */
export const ChosenBar = ({ rows, chosen, choose, changed }: ChosenBarProps) => {
  const picked = rows.filter(({ id }) => chosen.has(id));
  const waiting = picked.filter(({ status }) => status === 'pending');
  const { webhookDeliveries } = engine.value;
  const [progress, setProgress] = useState<string | null>(null);
  const toAll = async (ids: readonly string[], act: (id: string) => Promise<unknown>): Promise<Done> => {
    try {
      return await toEach(ids, act, (tried) => setProgress(t('{0} of {1}', tried, ids.length)));
    } finally {
      setProgress(null);
    }
  };
  const finish = (done: Done, what: BulkDeed): void => {
    choose(new Set(done.failed));
    changed();
    const text = doneText(done, what);
    if (done.failed.length > 0)
      throw new Error(t('{0} and stay selected. {1}', text, toFailure(done.problem).sentence));
    say(text);
  };
  return (
    <div class="row" role="group" aria-label={t('Selected deliveries')}>
      <span class="quiet" role="status">
        {progress ?? `${picked.length} ${t('selected')}`}
      </span>
      <button type="button" disabled={rows.length === 0} onClick={() => choose(new Set(oldestFirst(rows)))}>
        {t('Select all shown')}
      </button>
      <button type="button" disabled={picked.length === 0} onClick={() => choose(new Set())}>
        {t('Select none')}
      </button>
      <Action
        tone="primary"
        disabled={picked.length === 0}
        run={async () => finish(await toAll(oldestFirst(picked), (id) => webhookDeliveries.resend(id)), 'resent')}
        confirm={
          picked.length < 2
            ? undefined
            : {
                title: t('Resend {0} deliveries?', picked.length),
                text: t('Each endpoint gets its events again, also those that it has accepted.'),
                yes: t('Resend'),
              }
        }
      >
        {t('Resend selected')}
      </Action>
      <Action
        disabled={waiting.length === 0}
        run={async () => finish(await toAll(oldestFirst(waiting), (id) => webhookDeliveries.cancel(id)), 'cancelled')}
        confirm={{
          title: waiting.length === 1 ? t('Cancel this delivery?') : t('Cancel {0} deliveries?', waiting.length),
          text: t('The endpoint does not get these events. Deliveries that do not wait stay as they are.'),
          yes: t('Cancel deliveries'),
          danger: true,
        }}
      >
        {t('Cancel selected …')}
      </Action>
    </div>
  );
};
