import type { SessionStatus } from '../../../typescript/src/index.ts';
import { Action } from '../../parts/action.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Loadable, Panel, Section } from '../../parts/panel.tsx';
import { Badge, Facts } from '../../parts/small.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Timeline } from '../../parts/timeline.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { engine, isGuest, mayDo, seesEvents } from '../../shell/engine.ts';
import { go, href } from '../../shell/location.ts';
import { newestChanges } from './changes.ts';
import { historyOf } from './history.ts';
import { CodeToScan, ConnectLink, PairingCode } from './pair.tsx';
import { capabilityName, PENDING, STATES, whyNot } from './words.ts';
import { t } from '../../parts/words/t.ts';

const HISTORY_DAYS = 30;
const DAY_MS = 86_400_000;

const Actions = ({ session, reload }: { session: SessionStatus; reload: () => void }) => {
  const { id } = session;
  const name = session.accountName ?? session.name;
  const ask = async (what: 'start' | 'restart' | 'stop'): Promise<void> => {
    await engine.value.sessions[what](id);
    reload();
  };
  const again =
    session.status === 'STOPPED' ? (
      <Action run={() => ask('start')} tone="primary" done={t('The account is starting')}>
        {t('Start')}
      </Action>
    ) : (
      <Action run={() => ask('restart')} done={t('The account is restarting')}>
        {t('Restart')}
      </Action>
    );
  if (isGuest.value) return again;
  return (
    <div class="row">
      {again}
      {session.status !== 'STOPPED' && (
        <Action
          run={() => ask('stop')}
          confirm={{
            title: t('Stop “{0}”?', name),
            text: t('It neither sends nor receives messages until someone starts it.'),
            yes: t('Stop'),
          }}
        >
          {t('Stop …')}
        </Action>
      )}
    </div>
  );
};

/** The acts that end the account, apart from everyday acts. */
const Ends = ({ session, reload }: { session: SessionStatus; reload: () => void }) => {
  const { id } = session;
  const name = session.accountName ?? session.name;
  return (
    <div class="row">
      <Action
        run={async () => {
          await engine.value.sessions.logout(id);
          reload();
        }}
        tone="danger"
        confirm={{
          title: t('Log out “{0}”?', name),
          text: t('You cannot read or answer customers here until someone scans a new code. The conversations stay.'),
          yes: t('Log out'),
          danger: true,
        }}
      >
        {t('Log out …')}
      </Action>
      <Action
        run={async () => {
          await engine.value.sessions.delete(id);
          go('/connect');
        }}
        tone="danger"
        confirm={{
          title: t('Delete “{0}”?', name),
          text: t(
            'You can no longer read or answer customers here. The engine removes the account and its waiting messages.',
          ),
          yes: t('Delete'),
          danger: true,
        }}
      >
        {t('Delete …')}
      </Action>
    </div>
  );
};

const State = ({ session }: { session: SessionStatus }) => {
  const state = STATES[session.status];
  const why = whyNot(session.lastError);
  return (
    <>
      <p class="row">
        <Badge tone={state.tone}>{state.word}</Badge>
        <span>{state.text}</span>
      </p>
      {why !== null && <p class="bad words">{why}</p>}
      {session.pending !== null && <p class="quiet">{PENDING[session.pending]}.</p>}
      {session.silentSince !== null && (
        <p class="bad">
          {t('The account says that it works, but has reported nothing since')}{' '}
          <Time at={session.silentSince} how="clock" />
          {t('. The engine restarts it and fetches what was missed.')}
        </p>
      )}
      <Facts
        items={[
          [t('Phone'), session.phone === null ? '–' : `+${session.phone}`],
          [t('Since'), <Time at={session.statusChangedAt} how="clock" />],
          [t('Tenant'), session.tenantId],
          [t('Name'), <span class="mono">{session.name}</span>],
          [t('ID'), <span class="mono">{session.id}</span>],
          [t('Backend engine'), session.platform ?? '–'],
        ]}
      />
    </>
  );
};

const History = ({ id }: { id: string }) => (
  <Panel
    title={t('History')}
    deps={[id]}
    on={['session.status', 'session.recovered', 'session.silent']}
    when={(event) => event.sessionId === id}
    load={async (signal) => {
      const since = new Date(Date.now() - HISTORY_DAYS * DAY_MS).toISOString();
      const [told, gaps] = await Promise.all([
        newestChanges(engine.value, { sessionId: id, since }, signal),
        engine.value.sessions.listGaps(id, { limit: 20 }, { signal }),
      ]);
      return historyOf(told, gaps.gaps);
    }}
  >
    {(entries) =>
      entries.length === 0 ? (
        <p class="quiet">
          {t('No changes in the last')} {HISTORY_DAYS} {t('days.')}
        </p>
      ) : (
        <Timeline label={t('History')} entries={entries} />
      )
    }
  </Panel>
);

const Capabilities = ({ id }: { id: string }) => (
  <Panel
    title={t('Capabilities')}
    deps={[id]}
    load={(signal) => engine.value.sessions.readCapabilities(id, {}, { signal })}
  >
    {({ capabilities }) => (
      <Table
        caption={t('Capabilities')}
        rows={Object.entries(capabilities)}
        rowKey={([name]) => name}
        empty=""
        columns={[
          { head: t('Capability'), cell: ([name]) => capabilityName(name) },
          {
            head: t('Supported'),
            cell: ([, can]) => (
              <Badge tone={can.supported ? 'good' : 'quiet'}>{can.supported ? t('Yes') : t('No')}</Badge>
            ),
          },
          { head: t('Alternative'), wide: true, cell: ([, can]) => can.instead ?? '' },
        ]}
      />
    )}
  </Panel>
);

/** One account: how it stands, how to connect it, what it can, and what happened to it. */
export const Session = ({ id }: { id: string }) => {
  const loading = useLoad({
    load: (signal) => engine.value.sessions.read(id, {}, { signal }),
    deps: [id],
    on: ['session.status', 'session.silent', 'session.recovered', 'session.restricted'],
    when: (event) => event.sessionId === id,
    every: 5_000,
  });
  const session = loading.data;
  const isConnecting = session !== undefined && session.status !== 'WORKING' && session.status !== 'STOPPED';
  return (
    <>
      <PageHead
        title={session?.accountName ?? session?.name ?? t('Account')}
        actions={<a href={href('/connect')}>{t('All accounts')}</a>}
      />
      <div class="grid2">
        <div class="stack">
          <Section
            title={t('Status')}
            actions={session && mayDo('sessions') && <Actions session={session} reload={loading.reload} />}
          >
            <Loadable of={loading}>{(one) => <State session={one} />}</Loadable>
          </Section>
          {session?.status === 'SCAN_QR_CODE' && <CodeToScan id={id} />}
          {isConnecting && mayDo('sessions') && <PairingCode id={id} />}
          {session && session.status !== 'WORKING' && mayDo('sessions') && <ConnectLink id={id} />}
          <Capabilities id={id} />
          {session && mayDo('sessions') && !isGuest.value && (
            <Section title={t('End the account')}>
              <Ends session={session} reload={loading.reload} />
            </Section>
          )}
        </div>
        {seesEvents.value && <History id={id} />}
      </div>
    </>
  );
};
