import type { WebhookDelivery } from '../../../typescript/src/index.ts';
import { Action } from '../../parts/action.tsx';
import { toFailure } from '../../parts/failure.ts';
import { engine } from '../../shell/engine.ts';
import { say } from '../../shell/say.tsx';
import { doneText, oldestFirst, toEach } from './bulk.ts';
import type { Done } from './bulk.ts';

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
  const finish = (done: Done, what: string): void => {
    choose(new Set(done.failed));
    changed();
    const text = doneText(done, what);
    if (done.failed.length > 0) throw new Error(`${text} and stay selected. ${toFailure(done.problem).sentence}`);
    say(text);
  };
  return (
    <div class="row" role="group" aria-label="Selected deliveries">
      <span class="quiet" role="status">
        {picked.length} selected
      </span>
      <button type="button" disabled={rows.length === 0} onClick={() => choose(new Set(oldestFirst(rows)))}>
        Select all shown
      </button>
      <button type="button" disabled={picked.length === 0} onClick={() => choose(new Set())}>
        Select none
      </button>
      <Action
        tone="primary"
        disabled={picked.length === 0}
        run={async () =>
          finish(await toEach(oldestFirst(picked), (id) => webhookDeliveries.resend(id)), 'being resent')
        }
        confirm={
          picked.length < 2
            ? undefined
            : {
                title: `Resend ${picked.length} deliveries?`,
                text: 'Each endpoint gets its events again, also those that it has accepted.',
                yes: 'Resend',
              }
        }
      >
        Resend selected
      </Action>
      <Action
        disabled={waiting.length === 0}
        run={async () => finish(await toEach(oldestFirst(waiting), (id) => webhookDeliveries.cancel(id)), 'cancelled')}
        confirm={{
          title: `Cancel ${waiting.length === 1 ? 'this delivery' : `${waiting.length} deliveries`}?`,
          text: 'The endpoint does not get these events. Deliveries that do not wait stay as they are.',
          yes: 'Cancel deliveries',
          danger: true,
        }}
      >
        Cancel selected …
      </Action>
    </div>
  );
};
