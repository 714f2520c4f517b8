import { useState } from 'preact/hooks';
import type { Execution, WorkflowStory } from '../../../typescript/src/index.ts';
import { Action } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Section } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Badge } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { useDeed } from '../../parts/use-deed.ts';
import { usePages } from '../../parts/use-pages.ts';
import { t } from '../../parts/words/t.ts';
import { engine, mayDo, place, who } from '../../shell/engine.ts';
import { href } from '../../shell/location.ts';
import { say } from '../../shell/say.tsx';
import { reasonOf, stateOf } from '../automations/words.ts';
import { asJson } from './model/json.ts';
import { startOf } from './model/start.ts';
import { NewWorkflow } from './new.tsx';
import { startSentence } from './words.ts';

/** Each row is read on its own, for its start and its tenants. */
const PAGE = 20;
const RUNS = 100;

interface Row {
  story: WorkflowStory;
  /** The newest run of the chosen tenant. */
  last: Execution | undefined;
}

const readRuns = async (signal: AbortSignal): Promise<readonly Execution[]> => {
  const isTenant = who.value?.tenantId != null || place.value.tenantId !== undefined;
  if (!isTenant) return [];
  return (await engine.value.automations.listExecutions({ limit: RUNS }, { signal })).executions;
};

export const WorkflowList = () => {
  const pages = usePages({
    load: async (cursor, signal) => {
      const [page, runs] = await Promise.all([
        engine.value.workflows.list({ limit: PAGE, cursor }, { signal }),
        readRuns(signal),
      ]);
      const stories = await Promise.all(
        page.workflows.map(({ id }) => engine.value.workflows.read(id, {}, { signal })),
      );
      const rows = stories.map((story): Row => {
        const last = runs.find(({ automation }) => automation === story.automation);
        return { story, last };
      });
      return { ...page, rows };
    },
    items: ({ rows }) => rows,
    key: ({ story }) => story.id,
  });
  const may = mayDo('ai:admin');
  return (
    <Section title={t('Workflows of the agency')} actions={may && <NewWorkflow />}>
      <PagedTable
        of={pages}
        caption={t('Workflows')}
        empty={t('No workflows yet. “New workflow” offers ready ones.')}
        rowKey={({ story }) => story.id}
        columns={[
          {
            head: t('Title'),
            wide: true,
            cell: ({ story }) => (
              <a href={href(`/workflows/${encodeURIComponent(story.id)}`)} dir="auto">
                {story.title}
              </a>
            ),
          },
          { head: t('Version'), numeric: true, cell: ({ story }) => story.version },
          { head: t('Starts when'), wide: true, cell: ({ story }) => startSentence(startOf(asJson(story.definition))) },
          { head: t('Changed'), cell: ({ story }) => <Time at={story.updatedAt} /> },
          { head: t('On for tenants'), numeric: true, cell: ({ story }) => story.tenants },
          {
            head: t('Last run'),
            wide: true,
            cell: ({ story, last }) => <LastRun automation={story.automation} last={last} />,
          },
          ...(may
            ? [{ head: t('Actions'), cell: ({ story }: Row) => <Deeds story={story} changed={pages.reload} /> }]
            : []),
        ]}
      />
    </Section>
  );
};

const LastRun = ({ automation, last }: { automation: string; last: Execution | undefined }) => {
  if (!last) return <span class="quiet">–</span>;
  const [tone, words] = stateOf(last.status);
  return (
    <>
      <a href={href('/automations/runs', { automation })}>
        <Badge tone={tone} title={reasonOf(last.reason) ?? ''}>
          {words}
        </Badge>
      </a>{' '}
      <Time at={last.createdAt} />
    </>
  );
};

interface DeedsProps {
  story: WorkflowStory;
  changed: () => void;
}

const Deeds = ({ story, changed }: DeedsProps) => (
  <div class="row">
    <Action
      label={t('Copy “{0}”', story.title)}
      run={async () => {
        await engine.value.workflows.copy(story.id, {});
        changed();
      }}
      done={t('Copied. No tenant has the copy on')}
    >
      {t('Copy')}
    </Action>
    <button type="button" aria-label={t('Export “{0}”', story.title)} onClick={() => download(story)}>
      {t('Export')}
    </button>
    <Delete story={story} changed={changed} />
  </div>
);

const download = ({ source, form, title }: WorkflowStory): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([source], { type: 'text/plain' }));
  link.download = `${title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60) || 'workflow'}.${form}`;
  link.click();
  URL.revokeObjectURL(link.href);
};

const ENDS = {
  end: t('Runs in progress end before their next step'),
  finish: t('Runs in progress continue to their end'),
} as const;

/** Asks for the runs in progress, whose fate nobody can change later. */
const Delete = ({ story, changed }: DeedsProps) => {
  const [isOpen, setOpen] = useState(false);
  const [runs, setRuns] = useState<keyof typeof ENDS>('end');
  const deed = useDeed(async () => {
    await engine.value.workflows.delete(story.id, { runs });
    setOpen(false);
    say(t('Deleted'));
    changed();
  });
  return (
    <>
      <button type="button" class="danger" aria-label={t('Delete “{0}”', story.title)} onClick={() => setOpen(true)}>
        {t('Delete …')}
      </button>
      <Dialog open={isOpen} title={t('Delete “{0}”?', story.title)} onClose={() => setOpen(false)}>
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void deed.act();
          }}
        >
          <p>{t('It is switched off for all tenants, and no new run begins. This cannot be undone.')}</p>
          <fieldset class="stack">
            <legend>{t('Runs')}</legend>
            {(['end', 'finish'] as const).map((each) => (
              <label key={each} class="row">
                <input type="radio" name="runs" checked={runs === each} onChange={() => setRuns(each)} />
                {ENDS[each]}
              </label>
            ))}
          </fieldset>
          {deed.problem && <Problem problem={deed.problem} />}
          <div class="row">
            <button type="submit" class="danger" aria-busy={deed.isBusy}>
              {t('Delete')}
            </button>
            <button type="button" onClick={() => setOpen(false)}>
              {t('Go back')}
            </button>
          </div>
        </form>
      </Dialog>
    </>
  );
};
