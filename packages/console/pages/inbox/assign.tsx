import { useId, useState } from 'preact/hooks';
import type { AgentState, Conversation } from '../../../typescript/src/index.ts';
import { Field } from '../../parts/field.tsx';
import { Problem, toFailure } from '../../parts/problem.tsx';
import type { Failure } from '../../parts/problem.tsx';
import { useCombobox } from '../../parts/use-combobox.ts';
import { useLoad } from '../../parts/use-load.ts';
import { engine, who } from '../../shell/engine.ts';
import { me, rememberMe } from '../../shell/me.ts';
import { say } from '../../shell/say.tsx';
import { takenText } from './words.ts';
import { t } from '../../parts/words/t.ts';

export interface HandsProps {
  chat: Conversation;
  /** Why the agent is silent in all chats, if it is. */
  silence: AgentState['silence'];
  reload: () => void;
}

/** More would need a scroll area of their own; another letter narrows the list. */
const NAMES_AT_ONCE = 6;

/** Gives the conversation to this person or to a colleague; nobody is chosen before. */
export const AssignForm = ({ chat, silence, reload }: HandsProps) => {
  const id = useId();
  const [assignee, setAssignee] = useState('');
  const colleagues = useLoad({
    load: async (signal) => (await engine.value.conversations.listColleagues({}, { signal })).colleagues,
  });
  const [reason, setReason] = useState('');
  // A browser without a stored name asks the person for it; a link has its name.
  const [saysMe, setSaysMe] = useState(false);
  const name = assignee.trim();
  const known = me.value;
  const others = (colleagues.data ?? [])
    .filter((one) => one.name !== known && one.name !== name)
    .filter((one) => one.name.toLowerCase().includes(name.toLowerCase()))
    .slice(0, NAMES_AT_ONCE);
  const { input, list } = useCombobox<HTMLUListElement>({
    isOpen: others.length > 0,
    takesFirst: false,
    of: others.map((one) => one.name).join('\n'),
  });
  const [problem, setProblem] = useState<Failure | null>(null);
  const assign = async (to: string): Promise<void> => {
    const isMe = to !== '' && (to === known || saysMe);
    try {
      const answer = await engine.value.conversations.assign(chat.conversationId, {
        assignee: to || undefined,
        reason: reason.trim() || undefined,
      });
      if (isMe) rememberMe(to);
      const other = isMe ? undefined : to || t('A person');
      say(takenText({ inFlight: answer.inFlight.length, assignee: other }, silence));
      reload();
    } catch (error) {
      setProblem(toFailure(error));
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void assign(name);
      }}
    >
      {known !== '' && (
        <div>
          <button type="button" class="primary" onClick={() => void assign(known)}>
            {t('Assign to me ({0})', known)}
          </button>
        </div>
      )}
      <Field label={t('Assign to')} hint={t('A colleague from the list, or a new name.')}>
        {(props) => (
          <input
            {...props}
            ref={input}
            autocomplete="off"
            required
            maxLength={128}
            value={assignee}
            onInput={(event) => setAssignee(event.currentTarget.value)}
          />
        )}
      </Field>
      <ul ref={list} id={id} class="options" role="listbox" aria-label={t('Colleagues')} hidden={others.length === 0}>
        {others.map((one) => (
          <li
            key={one.name}
            role="option"
            dir="auto"
            // A click must not take the focus out of the field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setAssignee(one.name)}
          >
            {one.name}
          </li>
        ))}
      </ul>
      <Field label={t('Reason (optional)')}>
        {(props) => (
          <input {...props} maxLength={500} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
        )}
      </Field>
      {who.value?.link == null && name !== known && (
        <label class="row">
          <input type="checkbox" checked={saysMe} onChange={(event) => setSaysMe(event.currentTarget.checked)} />
          {t('This is my name: use it when I take over')}
        </label>
      )}
      {problem && <Problem problem={problem} />}
      <div>
        <button type="submit">{t('Assign')}</button>
      </div>
    </form>
  );
};
