import { useState } from 'preact/hooks';
import type { AgentState, Conversation } from '../../../sdk/typescript/src/index.ts';
import { Action } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Problem, toFailure } from '../../parts/problem.tsx';
import type { Failure } from '../../parts/problem.tsx';
import { Badge } from '../../parts/small.tsx';
import { engine, mayDo, who } from '../../shell/engine.ts';
import { me, rememberMe } from '../../shell/me.ts';
import { say } from '../../shell/say.tsx';
import { NameForm } from './name-form.tsx';
import { answererOf, givenBackText, takenText } from './words.ts';

interface HandsProps {
  chat: Conversation;
  /** Why the agent is silent in all chats, if it is. */
  silence: AgentState['silence'];
  reload: () => void;
}

const AssignForm = ({ chat, silence, reload }: HandsProps) => {
  const [assignee, setAssignee] = useState(chat.assignedTo ?? me.value);
  const [reason, setReason] = useState('');
  // Whose name the browser does not know yet says which one is theirs; a link has its name.
  const [saysMe, setSaysMe] = useState(false);
  const name = assignee.trim();
  const known = me.value;
  const isMe = name !== '' && (name === known || saysMe);
  const [problem, setProblem] = useState<Failure | null>(null);
  const assign = async (): Promise<void> => {
    try {
      const answer = await engine.value.conversations.assign(chat.conversationId, {
        assignee: name || undefined,
        reason: reason.trim() || undefined,
      });
      if (isMe) rememberMe(name);
      const other = isMe ? undefined : name || 'A person';
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
        void assign();
      }}
    >
      <Field label="Assign to" hint="A name that your team knows.">
        {(props) => (
          <input
            {...props}
            maxLength={128}
            value={assignee}
            onInput={(event) => setAssignee(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label="Reason (optional)">
        {(props) => (
          <input {...props} maxLength={500} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
        )}
      </Field>
      {who.value?.link == null && name !== known && (
        <label class="row">
          <input type="checkbox" checked={saysMe} onChange={(event) => setSaysMe(event.currentTarget.checked)} />
          This is my name: use it when I take over
        </label>
      )}
      {problem && <Problem problem={problem} />}
      <div>
        <button type="submit" class="primary">
          Assign
        </button>
      </div>
    </form>
  );
};

/** Who answers, and how that is changed. */
export const Hands = ({ chat, silence, reload }: HandsProps) => {
  const [isOpen, setOpen] = useState(false);
  const [isNamed, setNamed] = useState(true);
  const answerer = answererOf(chat, silence);
  const take = async (): Promise<void> => {
    const assignee = me.value || undefined;
    const answer = await engine.value.conversations.assign(chat.conversationId, { assignee });
    say(takenText({ inFlight: answer.inFlight.length }, silence));
    reload();
    // The takeover comes first: the agent must not answer while the user types a name.
    setNamed(assignee !== undefined);
  };
  const named = async (assignee: string): Promise<void> => {
    setNamed(true);
    try {
      await engine.value.conversations.assign(chat.conversationId, { assignee });
    } catch (error) {
      say(`Taken over without your name. ${toFailure(error).sentence}`);
    }
    reload();
  };
  return (
    <div class="row hands">
      <Badge tone={answerer.tone}>{answerer.word}</Badge>
      {mayDo('send') && chat.mode === 'bot_active' && (
        <Action run={take} tone="primary" shortcut="t">
          Take over
        </Action>
      )}
      {mayDo('send') && chat.mode === 'human_takeover' && (
        <Action
          shortcut="t"
          done={givenBackText(silence)}
          run={async () => {
            await engine.value.conversations.release(chat.conversationId);
            reload();
          }}
        >
          Give back
        </Action>
      )}
      {mayDo('send') && chat.waitingSince !== null && chat.mode === 'human_takeover' && (
        <Action
          shortcut="e"
          done="The chat no longer waits"
          run={async () => {
            // A message that comes meanwhile may need one.
            const upTo = chat.lastMessage?.messageId ?? undefined;
            await engine.value.conversations.markRead(chat.conversationId, { needsNoAnswer: true, upTo });
            reload();
          }}
        >
          Needs no answer
        </Action>
      )}
      {mayDo('send') && (
        <button type="button" onClick={() => setOpen(true)}>
          Assign …
        </button>
      )}
      <Dialog open={!isNamed} onClose={() => setNamed(true)} title="Your chats">
        <NameForm done={(name) => void named(name)} />
      </Dialog>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Assign this conversation">
        <AssignForm
          chat={chat}
          silence={silence}
          reload={() => {
            setOpen(false);
            reload();
          }}
        />
      </Dialog>
    </div>
  );
};
