import { useState } from 'preact/hooks';
import type { PersonaView } from '../../../typescript/src/index.ts';
import { Field } from '../../parts/field.tsx';
import { Loadable, Section } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { engine, mayDo, place } from '../../shell/engine.ts';
import { query, setQuery } from '../../shell/location.ts';
import { ChatChoice } from './chat-choice.tsx';
import { PersonaFields } from './persona-fields.tsx';
import { changesOf, changesText, typedOf } from './persona-form.ts';
import { RehearsalResults } from './rehearsal-results.tsx';
import { t } from '../../parts/words/t.ts';
import { useDeed } from '../../parts/use-deed.ts';

/** Two personas on one recorded chat, side by side; nothing is sent. */
export const Rehearsal = () => {
  const persona = useLoad({ load: (signal) => engine.value.agentPersona.read({}, { signal }), deps: [place.value] });
  const id = query.value['rehearsal'];
  return (
    <>
      <Section title={t('Try a change')}>
        <p class="quiet">
          {t('The current persona and your changed one answer the same conversation. Nothing is sent or saved.')}
        </p>
        {mayDo('ai:admin') ? (
          <Loadable of={persona}>{(now) => <Trial persona={now} />}</Loadable>
        ) : (
          <p>{t('To rehearse, you need a key that may change the persona.')}</p>
        )}
      </Section>
      {id !== undefined && <RehearsalResults key={id} id={id} />}
    </>
  );
};

const Trial = ({ persona }: { persona: PersonaView }) => {
  const [typed, setTyped] = useState(() => typedOf({ ...persona }));
  const [words, setWords] = useState('');
  const chat = query.value['chat'];
  const changes = changesOf({ ...persona }, typed);
  const changed = Object.keys(changes).length;
  const hasChat = chat !== undefined || words.trim() !== '';

  const {
    problem,
    isBusy,
    act: run,
  } = useDeed(async () => {
    const material =
      chat === undefined ? { messages: [{ from: 'contact' as const, text: words.trim() }] } : { conversationId: chat };
    const { id } = await engine.value.agentRehearsals.create({
      ...material,
      ...(changed > 0 ? { compareWith: changes } : {}),
    });
    setQuery({ rehearsal: id });
  });
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy && hasChat) void run();
      }}
    >
      <ChatChoice
        value={chat}
        onChange={(next) => setQuery({ chat: next, rehearsal: undefined })}
        none={t('None: write a message below')}
      />
      {chat === undefined && (
        <Field label={t('Message of a customer')} hint={t('Used if you choose no conversation.')}>
          {(props) => (
            <textarea
              {...props}
              dir="auto"
              rows={2}
              value={words}
              onInput={(event) => setWords(event.currentTarget.value)}
            />
          )}
        </Field>
      )}
      <fieldset class="stack">
        <legend>{t('Change to try')}</legend>
        <PersonaFields
          typed={typed}
          set={(name, value) => setTyped((before) => ({ ...before, [name]: value }))}
          problem={problem}
          pointer="/compareWith"
        />
      </fieldset>
      {problem && <Problem problem={problem} />}
      <div class="row">
        <button type="submit" class="primary" aria-busy={isBusy} disabled={!hasChat}>
          {t('Rehearse')}
        </button>
        <span class="small quiet">
          {changed === 0 ? t('No changes: only the current persona will answer.') : `${changesText(changed)}.`}
        </span>
      </div>
    </form>
  );
};
