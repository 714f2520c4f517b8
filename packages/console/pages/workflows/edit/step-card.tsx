import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../parts/words/t.ts';
import { textOf } from '../model/json.ts';
import { branchOf, isBranch } from '../model/new-step.ts';
import {
  cardKey,
  choicesBefore,
  duplicateStep,
  insertStep,
  listsOf,
  moveStep,
  removeStep,
  stepsOf,
} from '../model/steps.ts';
import type { Step } from '../model/steps.ts';
import { conditionWords, stepSentence } from '../words.ts';
import { isWithin, problemsAt, useEditing } from './editing.ts';
import { shownPointers } from './fields-of-step.ts';
import { StepFields } from './step-fields.tsx';

const MOVES: Readonly<Record<string, 1 | -1>> = { ArrowUp: -1, ArrowDown: 1 };
const QUESTIONS = ['ask', 'waitForReply'];

/** A list of steps, with what adds one at its end. */
export const StepList = ({ list, label }: { list: string; label: string }) => {
  const { definition, add, isReadOnly } = useEditing();
  const steps = stepsOf(definition, list);
  return (
    <div class="steps">
      {steps.length > 0 && (
        <ol aria-label={label}>
          {steps.map((step, place) => {
            const before = steps.slice(0, place).filter(({ name }) => name === step.name).length;
            return <StepCard key={`${cardKey(step)} ${before}`} step={step} />;
          })}
        </ol>
      )}
      {!isReadOnly && (
        <div>
          <button type="button" class="add" onClick={() => add(list, steps.length)}>
            {list === '/do' ? t('Add a step') : t('Add a step to “{0}”', label)}
          </button>
        </div>
      )}
    </div>
  );
};

const StepCard = ({ step }: { step: Step }) => {
  const editing = useEditing();
  const { definition, functions, triggers, problems, unread, open, toggle, edit, change, add, isReadOnly } = editing;
  const { pointer, list, place, kind, task } = step;
  const card = useRef<HTMLElement>(null);
  const sentence = stepSentence(step, (name) => functions.find((each) => each.name === name)?.title);
  const condition = textOf(task['if']);
  const isOpen = open.has(cardKey(step));
  const within = listsOf(step);
  const shown = isOpen ? shownPointers(step, functions, triggers) : [];
  // A list shows no problem of its own, so the card shows it.
  const isOwn = (at: string): boolean => isWithin(at, pointer) && !within.some((inner) => at.startsWith(`${inner}/`));
  const isUnread = unread.some(isOwn);
  const found = problems.filter((each) => isOwn(each.pointer) && !shown.some((at) => isWithin(each.pointer, at)));
  const hasProblems = found.length > 0 || isUnread || shown.some((at) => problemsAt(problems, at).length > 0);
  const move = (by: 1 | -1): void => edit(moveStep(definition, step, by), isOpen);
  const keyed = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const by = event.altKey ? MOVES[event.key] : undefined;
    if (by === undefined || isReadOnly || event.target !== card.current?.querySelector('button')) return;
    event.preventDefault();
    move(by);
  };
  return (
    <li>
      <article
        ref={card}
        class={`step panel ${hasProblems ? 'wrong' : ''} ${condition === '' ? '' : 'conditional'}`}
        aria-label={sentence}
        data-pointer={pointer}
        onKeyDown={keyed}
      >
        <div class="spread">
          <button
            type="button"
            class="plain sentence"
            aria-expanded={isOpen}
            aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
            onClick={() => toggle(cardKey(step))}
          >
            {condition !== '' && (
              <span class="badge info">{conditionWords(condition, choicesBefore(definition, pointer))}</span>
            )}
            <span dir="auto">{sentence}</span>
          </button>
          {!isReadOnly && (
            <div class="row tools">
              <Tool sign="↑" label={t('Move “{0}” up', sentence)} act={() => move(-1)} />
              <Tool sign="↓" label={t('Move “{0}” down', sentence)} act={() => move(1)} />
              <Tool sign="+" label={t('Add a step after “{0}”', sentence)} act={() => add(list, place + 1)} />
              <Tool sign="❐" label={t('Duplicate “{0}”', sentence)} act={() => edit(duplicateStep(definition, step))} />
              <Tool
                sign="✕"
                label={t('Remove “{0}”', sentence)}
                act={() => {
                  change(removeStep(definition, step));
                  focusBeside(card.current);
                }}
              />
            </div>
          )}
        </div>
        {found.map(({ pointer: at, message }) => (
          <p key={`${at} ${message}`} class="small bad">
            {message}
          </p>
        ))}
        {/* A text that cannot be read is in its field alone, so the field of a closed card stays. */}
        {(isOpen || isUnread) && (
          <fieldset class="stack" disabled={isReadOnly} hidden={!isOpen}>
            <StepFields step={step} />
          </fieldset>
        )}
        {!isReadOnly && kind === 'call' && QUESTIONS.includes(textOf(task['call'])) && <Branches step={step} />}
      </article>
      {within.map((inner) => (
        <div key={inner} class="within">
          {kind === 'try' && <h4>{inner.endsWith('/try') ? t('Try') : t('If it fails')}</h4>}
          <StepList list={inner} label={inner.endsWith('/catch/do') ? t('If it fails') : labelOf(step, sentence)} />
        </div>
      ))}
    </li>
  );
};

const labelOf = ({ name }: Step, sentence: string): string => name || sentence;

const Tool = ({ sign, label, act }: { sign: string; label: string; act: () => void }) => (
  <button type="button" class="plain" aria-label={label} title={label} onClick={act}>
    <span aria-hidden="true">{sign}</span>
  </button>
);

/** Without its card the focus would begin at the top of the page again. */
const focusBeside = (card: HTMLElement | null): void => {
  const item = card?.closest('li');
  const beside = item?.nextElementSibling ?? item?.previousElementSibling;
  beside?.querySelector<HTMLElement>('.sentence')?.focus();
};

/** Adds the steps for an answer, and those for none. */
const Branches = ({ step }: { step: Step }) => {
  const { definition, change, add } = useEditing();
  const begin = (name: string, condition: string): void => {
    const siblings = stepsOf(definition, step.list);
    const after = siblings.slice(step.place + 1);
    const end = after.findIndex(({ task }) => !isBranch(task));
    const place = step.place + 1 + (end === -1 ? after.length : end);
    const made = insertStep(definition, step.list, place, name, branchOf(condition));
    change(made.definition);
    add(`${made.pointer}/do`, 0);
  };
  return (
    <div class="row">
      <button type="button" onClick={() => begin('answered', 'input.answered')}>
        {t('Add a branch for an answer')}
      </button>
      <button type="button" onClick={() => begin('silent', '!input.answered')}>
        {t('Add a branch for no answer')}
      </button>
    </div>
  );
};

/** Leads the focus to a card that was made or moved. */
export const useFocusOn = (pointer: string | null, done: () => void): void =>
  useEffect(() => {
    if (pointer === null) return;
    const card = [...document.querySelectorAll<HTMLElement>('[data-pointer]')].find(
      (each) => each.dataset['pointer'] === pointer,
    );
    card?.querySelector<HTMLElement>('.sentence')?.focus();
    card?.scrollIntoView({ block: 'nearest' });
    done();
  }, [pointer]);
