import { Dialog } from '../../../parts/dialog.tsx';
import { t } from '../../../parts/words/t.ts';
import type { JsonObject } from '../model/json.ts';
import { NEW_TASKS, newCall } from '../model/new-step.ts';
import { functionWord, KIND_WORDS } from '../words.ts';
import type { FlowFunction } from '../model/forms.ts';

const GROUPS: readonly { kind: FlowFunction['kind']; words: string }[] = [
  { kind: 'wait', words: t('Ask and wait') },
  { kind: 'visible', words: t('Write and hand over') },
  { kind: 'silent', words: t('Check and note') },
  { kind: 'call', words: t('Other systems and labels') },
];

/** The kinds of the language beside the functions. A group with a condition is a branch. */
const ORDER = ['do', 'switch', 'for', 'try', 'set', 'listen', 'raise'] as const;

interface AddStepProps {
  functions: readonly FlowFunction[];
  isOpen: boolean;
  onClose: () => void;
  choose: (name: string, task: JsonObject) => void;
}

/** Every step that there is, in words. The functions are those of the engine. */
export const AddStep = ({ functions, isOpen, onClose, choose }: AddStepProps) => (
  <Dialog open={isOpen} title={t('Add a step')} onClose={onClose}>
    <div class="stack choices-of-steps">
      {GROUPS.map(({ kind, words }) => (
        <section key={kind} class="stack" aria-label={words}>
          <h3>{words}</h3>
          {kind === 'wait' && (
            <button type="button" onClick={() => choose('wait', NEW_TASKS.wait)}>
              {KIND_WORDS.wait}
            </button>
          )}
          {functions
            .filter((each) => each.kind === kind)
            .map((each) => (
              <button
                key={each.name}
                type="button"
                title={each.summary}
                onClick={() => choose(each.name, newCall(each))}
              >
                {functionWord(each.name, each.title)}
              </button>
            ))}
        </section>
      ))}
      <section class="stack" aria-label={t('Order of steps')}>
        <h3>{t('Order of steps')}</h3>
        {ORDER.map((kind) => (
          <button key={kind} type="button" onClick={() => choose(NAMES[kind], NEW_TASKS[kind])}>
            {KIND_WORDS[kind]}
          </button>
        ))}
      </section>
    </div>
  </Dialog>
);

/** The names that these steps have at first. */
const NAMES: Readonly<Record<(typeof ORDER)[number], string>> = {
  do: 'group',
  switch: 'choose',
  for: 'repeat',
  try: 'attempt',
  set: 'value',
  listen: 'words',
  raise: 'error',
};
