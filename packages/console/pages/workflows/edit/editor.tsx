import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Workflow, WorkflowsListFunctionsAnswer, WorkflowStory } from '../../../../typescript/src/index.ts';
import { ask } from '../../../parts/ask.tsx';
import { Loadable } from '../../../parts/panel.tsx';
import { errorAt, Problem, toFailure } from '../../../parts/problem.tsx';
import type { Failure } from '../../../parts/problem.tsx';
import { Timeline } from '../../../parts/timeline.tsx';
import { useDeed } from '../../../parts/use-deed.ts';
import { useLoad } from '../../../parts/use-load.ts';
import { t } from '../../../parts/words/t.ts';
import { engine, mayDo } from '../../../shell/engine.ts';
import { guardLeaving } from '../../../shell/location.ts';
import { say } from '../../../shell/say.tsx';
import { asJson, isSame, objectOf, textOf, valueAt } from '../model/json.ts';
import type { Json } from '../model/json.ts';
import { beginHistory, changed, redone, undone } from '../model/history.ts';
import { allSteps, cardKey, insertStep } from '../model/steps.ts';
import type { Edited } from '../model/steps.ts';
import { AddStep } from './add-step.tsx';
import { EditingContext } from './editing.ts';
import type { Editing, Problem as FlowProblem } from './editing.ts';
import { JsonView } from './json-view.tsx';
import { AboutCard, StartCard } from './start-card.tsx';
import { StepList, useFocusOn } from './step-card.tsx';
import { SwitchOn } from './switch-on.tsx';
import { TryDraft } from './try-draft.tsx';

const CHECK_AFTER_MS = 300;

/** Loads a workflow with the functions of the engine, and then keeps what the person edits. */
export default function Editor({ id }: { id: string }) {
  const loaded = useLoad({
    deps: [id],
    load: async (signal) => {
      const [story, known] = await Promise.all([
        engine.value.workflows.read(id, {}, { signal }),
        engine.value.workflows.listFunctions({}, { signal }),
      ]);
      return { story, known };
    },
  });
  // A refusal, as after a colleague has removed it, must not take what somebody has edited.
  const opened = useRef(loaded.data);
  opened.current = loaded.data ?? opened.current;
  return (
    <Loadable of={{ ...loaded, data: opened.current }}>
      {(data) => <Open {...data} key={id} reload={loaded.reload} />}
    </Loadable>
  );
}

interface Checked {
  of: Json;
  problems: readonly FlowProblem[];
  params: Record<string, unknown> | null;
}

/** Checks the definition once the person pauses. */
const useCheck = (definition: Json) => {
  const [checked, setChecked] = useState<Checked>({ of: null, problems: [], params: null });
  const [failure, setFailure] = useState<Failure | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const ending = new AbortController();
    const timer = setTimeout(() => {
      engine.value.workflows.validate({ definition: { ...objectOf(definition) } }, { signal: ending.signal }).then(
        ({ problems, params }) => {
          setChecked({ of: definition, problems, params });
          setFailure(null);
        },
        (error) => {
          if (!ending.signal.aborted) setFailure(toFailure(error));
        },
      );
    }, CHECK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [definition, tries]);
  return { ...checked, failure, retry: () => setTries(tries + 1), isCurrent: checked.of === definition };
};

interface OpenProps {
  story: WorkflowStory;
  known: WorkflowsListFunctionsAnswer;
  reload: () => void;
}

const PANES = ['json', 'try', 'on'] as const;
type Pane = (typeof PANES)[number];
const PANE_WORDS: Readonly<Record<Pane, string>> = { json: 'JSON', try: t('Try it'), on: t('Tenant') };

const Open = ({ story, known, reload }: OpenProps) => {
  const [history, setHistory] = useState(() => beginHistory(asJson(story.definition)));
  const [saved, setSaved] = useState({ version: story.version, definition: history.now, form: story.form });
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [focus, setFocus] = useState<string | null>(null);
  const [adding, setAdding] = useState<{ list: string; place: number } | null>(null);
  const [pane, setPane] = useState<Pane>('try');
  const [seen, setSeen] = useState<readonly Pane[]>(['try']);
  const [unread, setUnread] = useState<ReadonlyMap<string, string>>(new Map());
  const definition = history.now;
  const check = useCheck(definition);
  const isReadOnly = !mayDo('ai:admin');
  const isUnread = unread.size > 0;
  const isChanged = isUnread || !isSame(definition, saved.definition);
  useFocusOn(focus, () => setFocus(null));
  useLeaving(isChanged);
  useUndoKeys(
    () => setHistory(undone),
    () => setHistory(redone),
  );
  const editing: Editing = {
    definition,
    functions: known.functions,
    triggers: known.triggers,
    problems: check.problems,
    isReadOnly,
    change: (next, field) => setHistory((before) => changed(before, next, field ?? null)),
    edit(edited, isOpen = true) {
      if (edited === null) return;
      setHistory((before) => changed(before, edited.definition, null));
      if (isOpen) setOpen((before) => new Set([...before, keyAt(edited)]));
      setFocus(edited.pointer);
    },
    open,
    toggle: (card) =>
      setOpen((before) =>
        before.has(card) ? new Set([...before].filter((each) => each !== card)) : new Set([...before, card]),
      ),
    unread: [...unread.values()],
    markUnread: useCallback((field, pointer) => {
      setUnread((before) => {
        const others = [...before].filter(([each]) => each !== field);
        return new Map(pointer === null ? others : [...others, [field, pointer]]);
      });
    }, []),
    add: (list, place) => setAdding({ list, place }),
  };
  const save = useDeed(async () => {
    const stored = await store(story.id, saved.version, definition);
    if (stored === null) return;
    setSaved({ version: stored.version, definition, form: stored.form });
    say(t('Saved as version {0}', stored.version));
    reload();
  });
  const isValid = check.isCurrent && check.problems.length === 0 && !isUnread;
  return (
    <EditingContext.Provider value={editing}>
      <div class="stack">
        <div class="spread bar">
          <h2 dir="auto">{textOf(valueAt(definition, '/document/title')) || story.title}</h2>
          <div class="row">
            <span class="small quiet" role="status">
              {isChanged ? t('Version {0}, changed', saved.version) : t('Version {0}', saved.version)}
              {isUnread && <span class="bad"> {t('A field cannot be read')}</span>}
              {check.isCurrent && check.problems.length > 0 && (
                <span class="bad">
                  {' '}
                  {check.problems.length === 1 ? t('1 problem') : t('{0} problems', check.problems.length)}
                </span>
              )}
            </span>
            <button type="button" disabled={history.past.length === 0} onClick={() => setHistory(undone)}>
              {t('Undo')}
            </button>
            <button type="button" disabled={history.future.length === 0} onClick={() => setHistory(redone)}>
              {t('Redo')}
            </button>
            <button
              type="button"
              class="primary"
              disabled={isReadOnly || !isChanged || !isValid}
              aria-busy={save.isBusy}
              onClick={() => void save.act()}
            >
              {t('Save')}
            </button>
          </div>
        </div>
        {save.problem && <Problem problem={save.problem} />}
        {check.failure && <Problem problem={check.failure} retry={check.retry} />}
        {saved.form === 'yaml' && (
          <p class="quiet">{t('This workflow is YAML. Saving stores it as JSON, without its comments.')}</p>
        )}
        <div class="editor">
          <div class="stack">
            <fieldset class="stack" disabled={isReadOnly}>
              <legend class="visually-hidden">{t('Start')}</legend>
              <AboutCard />
              <StartCard />
            </fieldset>
            <Rest problems={check.problems} />
            <StepList list="/do" label={t('Steps')} />
          </div>
          <section class="panel flow-side" aria-label={t('Beside the steps')}>
            <div class="row">
              {PANES.map((each) => (
                <button
                  key={each}
                  type="button"
                  aria-pressed={pane === each}
                  onClick={() => {
                    setPane(each);
                    if (!seen.includes(each)) setSeen([...seen, each]);
                  }}
                >
                  {PANE_WORDS[each]}
                </button>
              ))}
            </div>
            {/* A pane that somebody has typed in keeps its text while another is in sight. */}
            {seen.map((each) => (
              <div key={each} class="stack" hidden={pane !== each}>
                {each === 'json' && <JsonView />}
                {each === 'try' && <TryDraft automation={story.automation} />}
                {each === 'on' && (
                  <SwitchOn
                    automation={story.automation}
                    params={story.params}
                    version={story.version}
                    isChanged={isChanged}
                  />
                )}
              </div>
            ))}
            <details>
              <summary>{t('History')}</summary>
              <Timeline
                label={t('History')}
                entries={story.versions.map(({ version, title, createdAt }) => ({
                  at: createdAt,
                  title: t('Version {0}', version),
                  text: title,
                }))}
              />
            </details>
          </section>
        </div>
      </div>
      <AddStep
        functions={known.functions}
        isOpen={adding !== null}
        onClose={() => setAdding(null)}
        choose={(name, task) => {
          if (adding) editing.edit(insertStep(definition, adding.list, adding.place, name, task));
          setAdding(null);
        }}
      />
    </EditingContext.Provider>
  );
};

const keyAt = ({ definition, pointer }: Edited): string => {
  const found = allSteps(definition).find((step) => step.pointer === pointer);
  return found ? cardKey(found) : pointer;
};

/** The parts that have a card of their own, or a field there. */
const CARDS = [
  '/do/',
  '/schedule',
  '/input',
  '/document/title',
  '/document/summary',
  '/document/metadata/audience',
  '/evaluate',
];

/** The problems of the parts that no card shows. */
const Rest = ({ problems }: { problems: readonly FlowProblem[] }) => (
  <>
    {problems
      .filter(({ pointer }) => !CARDS.some((at) => pointer.startsWith(at)))
      .map(({ pointer, message }) => (
        <p key={`${pointer} ${message}`} class="small bad">
          <span class="mono">{pointer}</span> {message}
        </p>
      ))}
  </>
);

/** Stores a new version. If someone has stored one meanwhile, it asks first; null if that one stays. */
const store = async (id: string, basedOn: number, definition: Json): Promise<Workflow | null> => {
  const body = { definition: { ...objectOf(definition) } };
  try {
    return await engine.value.workflows.update(id, { ...body, basedOn });
  } catch (error) {
    if (errorAt(toFailure(error), '/basedOn') === undefined) throw error;
    const { version } = await engine.value.workflows.read(id);
    return (await overwrites(version)) ? engine.value.workflows.update(id, { ...body, basedOn: version }) : null;
  }
};

const overwrites = async (version: number): Promise<boolean> => {
  const answer = await ask({
    title: t('Save over version {0}?', version),
    text: t(
      'Someone has saved version {0} since you opened this page. Your version replaces it for new runs.',
      version,
    ),
    yes: t('Save anyway'),
    danger: true,
  });
  return answer !== null;
};

/** Asks before unsaved changes are left. */
const useLeaving = (isChanged: boolean): void =>
  useEffect(() => {
    if (!isChanged) return undefined;
    return guardLeaving(async () => {
      const answer = await ask({
        title: t('Leave without saving?'),
        text: t('Your changes to this workflow are lost.'),
        yes: t('Leave'),
        danger: true,
      });
      return answer !== null;
    });
  }, [isChanged]);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('textarea, input:not([type=checkbox]), dialog') !== null;

/** Undo by keys. In a text, the browser has its own. */
const useUndoKeys = (undo: () => void, redo: () => void): void => {
  const latest = useRef({ undo, redo });
  latest.current = { undo, redo };
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z' || isTyping(event.target)) return;
      event.preventDefault();
      if (event.shiftKey) latest.current.redo();
      else latest.current.undo();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
};
