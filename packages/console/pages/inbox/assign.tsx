import { useId, useState } from 'preact/hooks';
import type { AgentState, Conversation } from '../../../typescript/src/index.ts';
import { Field } from '../../parts/field.tsx';
import { Problem, toFailure } from '../../parts/problem.tsx';
import type { Failure } from '../../parts/problem.tsx';
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

/** Gives the conversation to this person or to a colleague; nobody is chosen before. */
export const AssignForm = ({ chat, silence, reload }: HandsProps) => {
  const list = useId();
  const [assignee, setAssignee] = useState('');
  const colleagues = useLoad({
    load: async (signal) => (await engine.value.conversations.listColleagues({}, { signal })).colleagues,
  });
  const others = (colleagues.data ?? []).filter((one) => one.name !== me.value);
  const [reason, setReason] = useState('');
  // A browser without a stored name asks the person for it; a link has its name.
  const [saysMe, setSaysMe] = useState(false);
  const name = assignee.trim();
  const known = me.value;
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
            {t('Assign to me (')}
            {known})
          </button>
        </div>
      )}
      <datalist id={list}>
        {others.map((one) => (
          <option key={one.name} value={one.name} />
        ))}
      </datalist>
      <Field label={t('Assign to')} hint={t('A colleague from the list, or a new name.')}>
        {(props) => (
          <input
            {...props}
            list={list}
            autocomplete="off"
            required
            maxLength={128}
            value={assignee}
            onInput={(event) => setAssignee(event.currentTarget.value)}
          />
        )}
      </Field>
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
