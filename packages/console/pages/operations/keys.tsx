import { useState } from 'preact/hooks';
import type { ApiKey } from '../../../typescript/src/index.ts';
import { Action } from '../../parts/action.tsx';
import { Copy } from '../../parts/code.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Section } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Badge } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { engine, mayDo, place } from '../../shell/engine.ts';
import { KEY_STATES, keyIs } from './words.ts';
import { t } from '../../parts/words/t.ts';
import { PagedTable } from '../../parts/paged-table.tsx';
import { useDeed } from '../../parts/use-deed.ts';

const ROTATED_FOR_S = 3_600;

/** The keys of an agency. A new one is shown once. */
export const Keys = () => {
  const [made, setMade] = useState<string | null>(null);
  const pages = usePages({
    load: (cursor, signal) => engine.value.apiKeys.list({ limit: 100, cursor }, { signal }),
    items: (page) => page.apiKeys,
    key: ({ id }) => id,
  });
  const show = (apiKey: string): void => {
    setMade(apiKey);
    pages.reload();
  };
  return (
    <Section title={t('Keys')}>
      <PagedTable
        of={pages}
        caption={t('Keys')}
        rowKey={({ id }) => id}
        empty={t('No keys yet.')}
        columns={[
          {
            head: t('Name'),
            wide: true,
            cell: ({ name }) => (
              <span class="words" dir="auto">
                {name}
              </span>
            ),
          },
          { head: t('Key'), cell: ({ hint }) => <span class="mono">{hint}</span> },
          {
            head: t('For'),
            cell: ({ kind, tenantId }) =>
              kind === 'dashboard' ? t('The dashboard') : t('A session of {0}', tenantId ?? '–'),
          },
          { head: t('Scopes'), wide: true, cell: ({ scopes }) => <span class="small">{scopes.join(', ')}</span> },
          { head: t('Status'), cell: (key) => <KeyState apiKey={key} /> },
          { head: t('Last used'), cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
          {
            head: t('Actions'),
            cell: (key) =>
              mayDo('keys') &&
              keyIs(key, new Date()) === 'works' && <KeyActions apiKey={key} show={show} changed={pages.reload} />,
          },
        ]}
      />
      {mayDo('keys') && <NewKey show={show} />}
      <Dialog open={made !== null} title={t('New key')} onClose={() => setMade(null)}>
        <p>{t('Save it now: it appears only once. Anyone with the key can use it.')}</p>
        <p class="mono words">{made}</p>
        <div>{made !== null && <Copy text={made} label={t('Copy key')} />}</div>
      </Dialog>
    </Section>
  );
};

const KeyState = ({ apiKey }: { apiKey: ApiKey }) => {
  const state = keyIs(apiKey, new Date());
  return (
    <>
      <Badge tone={state === 'works' ? 'good' : 'quiet'}>{KEY_STATES[state]}</Badge>
      {state === 'works' && apiKey.expiresAt !== null && (
        <span class="small">
          {' '}
          {t('until')} <Time at={apiKey.expiresAt} how="day" />
        </span>
      )}
    </>
  );
};

const KeyActions = ({
  apiKey,
  show,
  changed,
}: {
  apiKey: ApiKey;
  show: (key: string) => void;
  changed: () => void;
}) => (
  <div class="row">
    <Action
      run={async ({ reason }) =>
        show((await engine.value.apiKeys.rotate(apiKey.id, { overlapSeconds: ROTATED_FOR_S, reason })).apiKey)
      }
      confirm={{
        title: t('Replace this key?'),
        text: t('You get a new key. The old one works for one more hour.'),
        yes: t('Replace'),
        reason: true,
      }}
    >
      {t('Replace …')}
    </Action>
    <Action
      tone="danger"
      run={async () => {
        await engine.value.apiKeys.revoke(apiKey.id);
        changed();
      }}
      confirm={{
        title: t('Revoke this key?'),
        text: t('The key stops working immediately, and so does every program that uses it. You cannot undo this.'),
        yes: t('Revoke'),
        danger: true,
      }}
      done={t('Revoked')}
    >
      {t('Revoke …')}
    </Action>
  </div>
);

const NewKey = ({ show }: { show: (key: string) => void }) => {
  const [name, setName] = useState('');
  const { tenantId } = place.value;
  const { problem, act: make } = useDeed(async () => {
    const { apiKey } =
      tenantId === undefined
        ? await engine.value.apiKeys.createForDashboard({ name })
        : await engine.value.apiKeys.create({ name });
    setName('');
    show(apiKey);
  });
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <Field
        label={t('Name of the new key')}
        hint={
          tenantId === undefined
            ? t('The key may do everything that the dashboard may.')
            : t('The key works only for the account of {0}.', tenantId)
        }
      >
        {(props) => (
          <input
            {...props}
            dir="auto"
            required
            maxLength={100}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      {problem && <Problem problem={problem} />}
      <div>
        <button type="submit">{t('Create key')}</button>
      </div>
    </form>
  );
};
