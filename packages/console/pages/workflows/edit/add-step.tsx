import { Dialog } from '../../../parts/dialog.tsx';
import { t } from '../../../parts/words/t.ts';
import { asJson, isList, objectOf } from '../model/json.ts';
import { functionWord, KIND_WORDS } from '../words.ts';
import type { FlowFunction } from './editing.ts';
import { newTask } from './step-card.tsx';
import type { JsonObject } from '../model/json.ts';

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
            <button type="button" onClick={() => choose('wait', newTask('wait', false, []))}>
              {KIND_WORDS.wait}
            </button>
          )}
          {functions
            .filter((each) => each.kind === kind)
            .map(({ name, title, summary, input }) => (
              <button
                key={name}
                type="button"
                title={summary}
                onClick={() => choose(name, newTask(name, true, requiredOf(input)))}
              >
                {functionWord(name, title)}
              </button>
            ))}
        </section>
      ))}
      <section class="stack" aria-label={t('Order of steps')}>
        <h3>{t('Order of steps')}</h3>
        {ORDER.map((kind) => (
          <button key={kind} type="button" onClick={() => choose(NAMES[kind], newTask(kind, false, []))}>
            {KIND_WORDS[kind]}
          </button>
        ))}
      </section>
    </div>
  </Dialog>
);

/** Names that no expression confuses with a word of the language. */
const NAMES: Readonly<Record<(typeof ORDER)[number], string>> = {
  do: 'group',
  switch: 'choose',
  for: 'repeat',
  try: 'attempt',
  set: 'value',
  listen: 'words',
  raise: 'error',
};

const requiredOf = (schema: Readonly<Record<string, unknown>>): string[] => {
  const { required } = objectOf(asJson(schema));
  return isList(required) ? required.map(String) : [];
};
