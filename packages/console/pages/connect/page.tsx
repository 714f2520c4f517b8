import { useState } from 'preact/hooks';
import { allOf } from '../../parts/all-of.ts';
import { Badge, Empty } from '../../parts/small.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ChooseFirst } from '../../parts/first/choose-first.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { engine, hasPlace, mayDo, who } from '../../shell/engine.ts';
import { href } from '../../shell/location.ts';
import type { PageProps } from '../../shell/page.ts';
import { ConnectForm } from './connect-form.tsx';
import { Session } from './session.tsx';
import { PENDING, STATES } from './words.ts';
import { t } from '../../parts/words/t.ts';

const Sessions = () => {
  const [isOpen, setOpen] = useState(false);
  const isHeld = who.value?.kind === 'session' || who.value?.kind === 'link';
  return (
    <>
      <PageHead
        title={t('Connect')}
        text={t('The messaging accounts that you use to talk to your customers.')}
        actions={
          mayDo('sessions') &&
          !isHeld && (
            <button type="button" class="primary" onClick={() => setOpen(true)}>
              {t('Connect an account')}
            </button>
          )
        }
      />
      <Panel
        title={t('Accounts')}
        name="sessions"
        load={(signal) => allOf(engine.value.sessions.list({}, { signal }))}
        on={['session.status', 'session.restricted', 'session.silent', 'session.recovered']}
        every={20_000}
      >
        {(sessions) =>
          sessions.length === 0 ? (
            <Empty text={t('No account is connected yet.')} />
          ) : (
            <Table
              caption={t('Accounts')}
              rows={sessions}
              rowKey={(session) => session.id}
              empty=""
              columns={[
                {
                  head: t('Account'),
                  wide: true,
                  cell: (session) => (
                    <a href={href(`/connect/${session.id}`)} dir="auto">
                      {session.accountName ?? session.name}
                    </a>
                  ),
                },
                { head: t('Phone'), cell: (session) => (session.phone === null ? '–' : `+${session.phone}`) },
                { head: t('Tenant'), cell: (session) => session.tenantId },
                {
                  head: t('Status'),
                  cell: (session) => (
                    <>
                      <Badge tone={STATES[session.status].tone}>{STATES[session.status].word}</Badge>{' '}
                      {session.silentSince !== null && <Badge tone="warn">{t('Silent')}</Badge>}
                      {session.pending !== null && <span class="small quiet">{PENDING[session.pending]}</span>}
                    </>
                  ),
                },
                { head: t('Since'), cell: (session) => <Time at={session.statusChangedAt} /> },
              ]}
            />
          )
        }
      </Panel>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={t('Connect an account')}>
        <ConnectForm />
      </Dialog>
    </>
  );
};

export default function ConnectPage({ params }: PageProps) {
  const id = params['sessionId'];
  if (!hasPlace.value)
    return (
      <>
        <PageHead title={t('Connect')} />
        <ChooseFirst text={t('Choose an agency in the menu to see its accounts.')} />
      </>
    );
  return id === undefined ? <Sessions /> : <Session id={id} key={id} />;
}
