import { useRef, useState } from 'preact/hooks';
import { newIdempotencyKey } from '../../../typescript/src/index.ts';
import { ask } from '../../parts/ask.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Loadable } from '../../parts/panel.tsx';
import { Problem, toFailure } from '../../parts/problem.tsx';
import type { Failure } from '../../parts/problem.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { t } from '../../parts/words/t.ts';
import { engine } from '../../shell/engine.ts';
import { go } from '../../shell/location.ts';

interface Draft {
  definition: Record<string, unknown> | string;
  form?: 'json' | 'yaml';
}

/** An engine stores no workflow without a step, so the empty one says something. */
const emptyDraft = (): Draft => ({
  definition: {
    document: { dsl: '1.0.0', namespace: 'own', name: 'workflow', version: '1.0.0', title: t('New workflow') },
    evaluate: { language: 'cel' },
    do: [{ greet: { call: 'send', with: { text: t('Hello!') } } }],
  },
});

/** A text is YAML unless it is JSON. */
const draftOf = (text: string): Draft => {
  try {
    JSON.parse(text);
    return { definition: text, form: 'json' };
  } catch {
    return { definition: text, form: 'yaml' };
  }
};

/** Begins a workflow: empty, from a ready one, or from a file. */
export const NewWorkflow = () => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        {t('New workflow …')}
      </button>
      <Dialog open={isOpen} title={t('New workflow')} onClose={() => setOpen(false)}>
        <Choice />
      </Dialog>
    </>
  );
};

const replaces = async (): Promise<boolean> => {
  const answer = await ask({
    title: t('Replace the text?'),
    text: t('The file replaces the definition that you have entered.'),
    yes: t('Replace text'),
  });
  return answer !== null;
};

const Choice = () => {
  const templates = useLoad({ load: (signal) => engine.value.workflows.listTemplates({}, { signal }) });
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<Failure | null>(null);
  const [isBusy, setBusy] = useState(false);
  // A second press after a lost answer must not make a second workflow.
  const sent = useRef({ of: '', key: '' });
  const begin = async (draft: Draft): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setProblem(null);
    try {
      const of = JSON.stringify(draft);
      if (sent.current.of !== of) sent.current = { of, key: newIdempotencyKey() };
      const { id } = await engine.value.workflows.create(draft, { idempotencyKey: sent.current.key });
      go(`/workflows/${id}`);
    } catch (error) {
      setProblem(toFailure(error));
      setBusy(false);
    }
  };
  const take = async (file: File): Promise<void> => {
    setProblem(null);
    try {
      const read = await file.text();
      if (text.trim() === '' || text === read || (await replaces())) setText(read);
    } catch (error) {
      setProblem(toFailure(error));
    }
  };
  const create = (draft: Draft): void => void begin(draft);
  return (
    <div class="stack choices-of-steps" aria-busy={isBusy}>
      <p class="quiet">{t('No tenant has it on until you switch it on.')}</p>
      <button type="button" onClick={() => create(emptyDraft())}>
        {t('Empty workflow')}
      </button>
      <Loadable of={templates}>
        {({ templates: ready }) => (
          <ul class="stack" aria-label={t('Ready workflows')}>
            {ready.map(({ name, title, summary, source }) => (
              <li key={name} class="stack">
                <button type="button" onClick={() => create({ definition: source, form: 'yaml' })}>
                  {title}
                </button>
                <p class="small quiet">{summary}</p>
              </li>
            ))}
          </ul>
        )}
      </Loadable>
      <details>
        <summary>{t('Import')}</summary>
        <div class="stack">
          <Field label={t('File')}>
            {(props) => (
              <input
                {...props}
                type="file"
                accept=".json,.yaml,.yml"
                onChange={({ currentTarget: { files } }) => {
                  const [file] = files ?? [];
                  if (file) void take(file);
                }}
              />
            )}
          </Field>
          <Field label={t('Definition as JSON or YAML')}>
            {(props) => (
              <textarea
                {...props}
                class="mono"
                rows={8}
                spellcheck={false}
                value={text}
                onInput={({ currentTarget: { value } }) => setText(value)}
              />
            )}
          </Field>
          <div>
            <button type="button" disabled={text.trim() === ''} onClick={() => create(draftOf(text))}>
              {t('Import')}
            </button>
          </div>
        </div>
      </details>
      {problem && <Problem problem={problem} />}
    </div>
  );
};
