import { useState } from 'preact/hooks';
import type { WebhookEndpoint } from '../../../typescript/src/index.ts';
import { Action } from '../../parts/action.tsx';
import { Copy } from '../../parts/code.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { engine, isGuest } from '../../shell/engine.ts';
import { go } from '../../shell/location.ts';
import { EditEndpoint } from './edit-endpoint.tsx';
import { t } from '../../parts/words/t.ts';

/** A secret is shown once, and lives no longer than the dialog. */
export const Secret = ({ secret, close }: { secret: string | null; close: () => void }) => (
  <Dialog open={secret !== null} title={t('New secret')} onClose={close}>
    <p>
      {t(
        'Give it to the receiver now: it appears only once. The receiver checks with it that requests come from this engine.',
      )}
    </p>
    <p class="mono words">{secret}</p>
    <div>{secret !== null && <Copy text={secret} label={t('Copy secret')} />}</div>
  </Dialog>
);

export const EndpointActions = ({ endpoint, changed }: { endpoint: WebhookEndpoint; changed: () => void }) => {
  const [secret, setSecret] = useState<string | null>(null);
  const [isEditing, setEditing] = useState(false);
  const { id, status } = endpoint;
  const endpoints = engine.value.webhookEndpoints;
  const then = async (work: Promise<unknown>): Promise<void> => {
    await work;
    changed();
  };
  return (
    <div class="row">
      {status === 'active' ? (
        <Action
          run={({ reason }) => then(endpoints.pause(id, { reason }))}
          confirm={{
            title: t('Pause this endpoint?'),
            text: t('Events wait while it is paused. The engine sends them when you resume it.'),
            yes: t('Pause'),
            reason: true,
          }}
          done={t('Paused')}
        >
          {t('Pause …')}
        </Action>
      ) : (
        <Action
          tone="primary"
          run={() => then(endpoints.resume(id, { recover: true }))}
          done={t('Resumed. The engine sends waiting events now, and retries dead-lettered deliveries')}
        >
          {t('Resume')}
        </Action>
      )}
      <Action
        run={() => then(endpoints.test(id, { event: 'endpoint.test' }))}
        done={t('A test event is being sent. See its response under Attempts')}
      >
        {t('Send test event')}
      </Action>
      {!isGuest.value && (
        <button type="button" onClick={() => setEditing(true)}>
          {t('Edit …')}
        </button>
      )}
      <Action
        run={async () => {
          setSecret((await endpoints.rotateSecret(id, {})).secret);
          changed();
        }}
        confirm={{
          title: t('Create a new secret?'),
          text: t('The receiver needs the new secret. For one day, the engine signs requests with both secrets.'),
          yes: t('Create secret'),
        }}
      >
        {t('New secret …')}
      </Action>
      {!isGuest.value && (
        <Action
          tone="danger"
          run={async () => {
            await endpoints.delete(id);
            go('/events/endpoints');
          }}
          confirm={{
            title: t('Delete this endpoint?'),
            text: t('The engine sends it no more events. You cannot undo this.'),
            yes: t('Delete'),
            danger: true,
          }}
          done={t('Deleted')}
        >
          {t('Delete …')}
        </Action>
      )}
      <Secret secret={secret} close={() => setSecret(null)} />
      <Dialog open={isEditing} title={t('Edit endpoint')} onClose={() => setEditing(false)}>
        <EditEndpoint
          endpoint={endpoint}
          saved={() => {
            setEditing(false);
            changed();
          }}
        />
      </Dialog>
    </div>
  );
};
