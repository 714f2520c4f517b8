import { useState } from 'preact/hooks';
import type { ConsoleLink, CreateConsoleLink } from '../../../typescript/src/index.ts';
import { Action } from '../../parts/action.tsx';
import { Copy } from '../../parts/code.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { Section } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Badge } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { engine, mayDo } from '../../shell/engine.ts';
import { TITLES } from '../titles.ts';
import { linkIs } from './words.ts';
import { t } from '../../parts/words/t.ts';
import { PagedTable } from '../../parts/paged-table.tsx';
import { useDeed } from '../../parts/use-deed.ts';

type Page = ConsoleLink['pages'][number];

/** The purposes of a link, in a shop owner's words. */
const PURPOSES: readonly { value: string; label: string; pages?: Page[] }[] = [
  { value: 'inbox', label: t('Answer customers'), pages: ['inbox', 'message'] },
  { value: 'connect', label: t('Connect accounts'), pages: ['connect'] },
  { value: 'agent', label: t('Manage the agent'), pages: ['agent', 'automations'] },
  { value: 'all', label: t('Everything of this tenant') },
];
const DAY_S = 86_400;

const KNOWN = new Map<string, string>(Object.entries(TITLES));
/** A console that is older than its engine does not know each page. */
const titleOf = (page: Page): string => KNOWN.get(page) ?? page;

/** The links of a tenant that lead into the console without a key. An address is shown once. */
export const Links = () => {
  const [made, setMade] = useState<string | null>(null);
  const pages = usePages({
    load: (cursor, signal) => engine.value.consoleLinks.list({ limit: 50, cursor }, { signal }),
    items: (page) => page.links,
    key: ({ id }) => id,
  });
  return (
    <Section title={t('Links for people who have no key')}>
      <PagedTable
        of={pages}
        caption={t('Links')}
        rowKey={({ id }) => id}
        empty={t('No links in the last 30 days.')}
        columns={[
          {
            head: t('For'),
            wide: true,
            cell: ({ name }) => (
              <span class="words" dir="auto">
                {name}
              </span>
            ),
          },
          {
            head: t('Opens'),
            wide: true,
            cell: ({ pages: opened }) => <span class="small">{opened.map(titleOf).join(', ')}</span>,
          },
          { head: t('Access'), cell: ({ readOnly }) => (readOnly ? t('View') : t('View and change')) },
          { head: t('Status'), cell: (link) => <LinkState link={link} /> },
          { head: t('Opened'), cell: ({ usedAt }) => <Time at={usedAt} /> },
          {
            head: t('Actions'),
            cell: (link) => mayDo('keys') && link.revokedAt === null && <Revoke link={link} changed={pages.reload} />,
          },
        ]}
      />
      {mayDo('keys') && (
        <NewLink
          show={(url) => {
            setMade(url);
            pages.reload();
          }}
        />
      )}
      <Dialog open={made !== null} title={t('New link')} onClose={() => setMade(null)}>
        <p>{t('Give it to one person now. It appears only once, and logs in the first person who opens it.')}</p>
        <p class="mono words">{made}</p>
        <div>{made !== null && <Copy text={made} label={t('Copy link')} />}</div>
      </Dialog>
    </Section>
  );
};

const LinkState = ({ link }: { link: ConsoleLink }) => {
  const [tone, text] = linkIs(link, new Date());
  return <Badge tone={tone}>{text}</Badge>;
};

const Revoke = ({ link, changed }: { link: ConsoleLink; changed: () => void }) => (
  <Action
    tone="danger"
    run={async () => {
      await engine.value.consoleLinks.revoke(link.id);
      changed();
    }}
    confirm={{
      title: t('Revoke this link?'),
      text: t('Nobody can open the link again. The engine logs out the person who opened it.'),
      yes: t('Revoke'),
      danger: true,
    }}
    done={t('Revoked')}
  >
    {t('Revoke …')}
  </Action>
);

const NewLink = ({ show }: { show: (url: string) => void }) => {
  const [name, setName] = useState('');
  const [purpose, setPurpose] = useState('inbox');
  const [mayChange, setMayChange] = useState(true);
  const { problem, act: make } = useDeed(async () => {
    const pages = PURPOSES.find(({ value }) => value === purpose)?.pages;
    const link: CreateConsoleLink = { name, pages, readOnly: !mayChange, expiresInSeconds: DAY_S };
    show((await engine.value.consoleLinks.create(link)).url);
    setName('');
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
        label={t('Name of the person')}
        hint={t(
          'They can open the link once, within a day, and stay logged in for twelve hours. The link ends with your login: when you log out, or after its twelve hours.',
        )}
      >
        {(control) => (
          <input
            {...control}
            dir="auto"
            required
            maxLength={100}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <Select label={t('Purpose')} value={purpose} options={PURPOSES} onChange={setPurpose} />
      <label class="row">
        <input type="checkbox" checked={mayChange} onChange={(event) => setMayChange(event.currentTarget.checked)} />
        {t('Allow changes')}
      </label>
      {problem && <Problem problem={problem} />}
      <div>
        <button type="submit">{t('Create link')}</button>
      </div>
    </form>
  );
};
