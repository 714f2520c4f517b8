import { useState } from 'preact/hooks';
import type { AutomationDryRun, DryRunAutomation } from '../../../../typescript/src/index.ts';
import { Field } from '../../../parts/field.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { TenantFirst } from '../../../parts/first/tenant-first.tsx';
import { useDeed } from '../../../parts/use-deed.ts';
import { t } from '../../../parts/words/t.ts';
import { engine, place } from '../../../shell/engine.ts';
import { ChatChoice } from '../../agent/chat-choice.tsx';
import { DryRuns } from '../../automations/dry-runs.tsx';
import { msOf, UNITS } from '../model/duration.ts';
import type { Unit } from '../model/duration.ts';
import { FILTERS, startOf } from '../model/start.ts';
import { asJson, objectOf, textOf, valueAt } from '../model/json.ts';
import type { Json } from '../model/json.ts';
import { unitWord } from '../words.ts';
import { useEditing } from './editing.ts';

/** A message of the contact, so long after the one before. */
interface Reply {
  text: string;
  count: number;
  unit: Unit;
}

type Given = NonNullable<DryRunAutomation['events']>[number];

/** The events of a trial: what starts the workflow, and the replies. */
const eventsOf = (definition: Json, text: string, replies: readonly Reply[], begunMs: number): Given[] => {
  const start = startOf(definition);
  let atMs = begunMs;
  const said = replies.map(({ text: words, count, unit }): Given => {
    atMs += msOf({ count, unit });
    return { event: 'message', from: 'contact', at: new Date(atMs).toISOString(), text: words };
  });
  const at = new Date(begunMs).toISOString();
  const type = start.by === 'event' ? start.type : '';
  switch (type) {
    case 'message':
    case 'unanswered':
      return [{ event: 'message', from: 'contact', at, text }, ...said];
    case 'unread':
      return [{ event: 'message', from: 'us', at, text }, ...said];
    case 'conversation.assigned':
    case 'conversation.released':
      return [{ event: type, at }, ...said];
    case 'conversation.labelled':
      return [{ event: type, at, label: textOf(valueAt(definition, `${FILTERS}/label`)) || 'VIP' }, ...said];
    default:
      return said;
  }
};

/** Events that only other systems or the engine report, so a request stands for them. */
const isAsked = (definition: Json): boolean => {
  const start = startOf(definition);
  const known = [
    'message',
    'unanswered',
    'unread',
    'conversation.assigned',
    'conversation.released',
    'conversation.labelled',
  ];
  return start.by !== 'event' || !known.includes(start.type);
};

const inputOf = (text: string): Record<string, unknown> => {
  try {
    return { ...objectOf(asJson(JSON.parse(text === '' ? '{}' : text))) };
  } catch {
    throw new Error(t('The input is not valid JSON: check quotes, commas and brackets.'));
  }
};

interface OfTenant {
  tenantId: string | undefined;
  tried: AutomationDryRun | null;
  chat: string | undefined;
}

/** Tries the definition as it is now on events that the person writes. Nothing is sent. */
export const TryDraft = (props: { automation: string }) => (
  <TenantFirst>
    <OfTenant {...props} />
  </TenantFirst>
);

const OfTenant = ({ automation }: { automation: string }) => {
  const { definition, problems } = useEditing();
  const [written, setText] = useState<string | null>(null);
  // A message that the filter of the start lets pass.
  const text = written ?? (textOf(valueAt(definition, `${FILTERS}/text/words/0`)) || t('Hello!'));
  const [input, setInput] = useState('{}');
  const [replies, setReplies] = useState<readonly Reply[]>([]);
  // A chat and a trial are the tenant's; the words that somebody has typed go with them to another.
  const { tenantId } = place.value;
  const [of, setOf] = useState<OfTenant>({ tenantId, tried: null, chat: undefined });
  const { tried, chat } = of.tenantId === tenantId ? of : { tried: null, chat: undefined };
  const asked = isAsked(definition);
  const trial = useDeed(async () => {
    const begunMs = Date.now();
    const events = eventsOf(definition, text, replies, begunMs);
    const begin = asked ? { begin: { at: new Date(begunMs).toISOString(), input: inputOf(input) } } : {};
    const past = chat === undefined ? { events, contactName: 'Ada', ...begin } : { conversationId: chat, ...begin };
    const draft = { ...objectOf(definition) };
    const answer = await engine.value.automations.dryRun(automation, { definition: draft, ...past });
    if (place.peek().tenantId === tenantId) setOf({ tenantId, chat, tried: answer });
  });
  const set = (place: number, change: Partial<Reply>): void =>
    setReplies(replies.map((each, at) => (at === place ? { ...each, ...change } : each)));
  return (
    <>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void trial.act();
        }}
      >
        <p class="quiet">
          {t('Shows each step that the workflow would take, as it is on this page. Nothing is sent.')}
        </p>
        <ChatChoice
          value={chat}
          onChange={(next) => setOf({ tenantId, tried, chat: next })}
          none={t('None: the messages below')}
        />
        {asked && (
          <Field label={t('Input of the request')} hint={t('Enter JSON.')}>
            {(props) => (
              <textarea
                {...props}
                class="mono"
                rows={3}
                spellcheck={false}
                value={input}
                onInput={({ currentTarget: { value } }) => setInput(value)}
              />
            )}
          </Field>
        )}
        {!asked && chat === undefined && (
          <Field label={t('First message')}>
            {(props) => (
              <input {...props} dir="auto" value={text} onInput={({ currentTarget: { value } }) => setText(value)} />
            )}
          </Field>
        )}
        {chat === undefined &&
          replies.map((reply, place) => (
            <fieldset key={`reply ${place}`} class="filters">
              <legend>{t('Reply {0}', place + 1)}</legend>
              <Field label={t('The contact writes')}>
                {(props) => (
                  <input
                    {...props}
                    dir="auto"
                    value={reply.text}
                    onInput={({ currentTarget: { value } }) => set(place, { text: value })}
                  />
                )}
              </Field>
              <Field label={t('After')}>
                {(props) => (
                  <input
                    {...props}
                    type="number"
                    min={0}
                    value={reply.count}
                    onInput={({ currentTarget: { valueAsNumber: count } }) => set(place, { count: count || 0 })}
                  />
                )}
              </Field>
              <Field label={t('Unit')}>
                {(props) => (
                  <select
                    {...props}
                    value={reply.unit}
                    onChange={({ currentTarget: { value } }) =>
                      set(place, { unit: UNITS.find((each) => each === value) ?? 'hours' })
                    }
                  >
                    {UNITS.map((each) => (
                      <option key={each} value={each}>
                        {unitWord(each)}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
              <button
                type="button"
                class="plain"
                aria-label={t('Remove reply {0}', place + 1)}
                onClick={() => setReplies(replies.toSpliced(place, 1))}
              >
                ✕
              </button>
            </fieldset>
          ))}
        <div class="row">
          <button
            type="button"
            disabled={chat !== undefined}
            onClick={() => setReplies([...replies, { text: '', count: 1, unit: 'hours' }])}
          >
            {t('Add a reply')}
          </button>
          <button type="submit" class="primary" disabled={problems.length > 0} aria-busy={trial.isBusy}>
            {t('Try')}
          </button>
        </div>
        {trial.problem && <Problem problem={trial.problem} />}
      </form>
      <div role="status">{tried && <DryRuns of={tried} />}</div>
    </>
  );
};
