import { useRef, useState } from 'preact/hooks';
import { newIdempotencyKey } from '../../../typescript/src/index.ts';
import type { Conversation, Message, Plan } from '../../../typescript/src/index.ts';
import { Icon } from '../../parts/icon.tsx';
import { errorAt, Problem, toFailure } from '../../parts/problem.tsx';
import type { Failure } from '../../parts/problem.tsx';
import { Time } from '../../parts/time.tsx';
import { engine } from '../../shell/engine.ts';
import { href } from '../../shell/location.ts';
import { me } from '../../shell/me.ts';
import { say } from '../../shell/say.tsx';
import type { Around } from './around.ts';
import { CannedDialog } from './compose/canned-dialog.tsx';
import { openIn } from './compose/placeholders.ts';
import { Thumbs } from './compose/thumbs.tsx';
import { useDrop } from './compose/use-drop.ts';
import { Writing } from './compose/writing.tsx';
import { contentOf, markOf, whyNot, withFiles, writtenSince } from './draft.ts';
import type { Draft, File } from './draft.ts';
import { changeDraft, draftOf, keepKey, keptKey, setDraft } from './drafts.ts';
import { Extras } from './extras.tsx';
import { PlanLine } from './plan-line.tsx';
import { QuotedLine } from './quote.tsx';
import { becameText, becomesMine, planText } from './words.ts';
import { t } from '../../parts/words/t.ts';

interface Sent {
  messageId: string;
  plan?: Plan | undefined;
}

const PlanOf = ({ plan }: { plan: Plan }) => (
  <>
    {t('It will be sent')} {planText(plan.rule)}
    {plan.sendAt !== null && plan.rule !== 'now' && (
      <>
        {t(', at about ')}
        <Time at={plan.sendAt} how="clock" />
      </>
    )}
    . {plan.expiresBefore && t('It is likely to expire before that. ')}
  </>
);

/** Shows the plan of the last sent message, and then its outcome. */
const Outcome = ({ sent, status }: { sent: Sent; status: Message['status'] | undefined }) => {
  const became = becameText(status);
  return (
    <p class="small" role="status">
      {became === null ? t('Accepted. ') : t('Your message: {0}. ', became)}
      {became === null && sent.plan && <PlanOf plan={sent.plan} />}
      <a href={href(`/message/${sent.messageId}`)}>{t('Show history')}</a>
    </p>
  );
};

/** Equal words are one message however often somebody presses, also after a reload; other words are another one. */
const useKeyOf = (id: string) => {
  const held = useRef({ of: '', key: '' });
  return {
    keyOf: (content: unknown): string => {
      const of = JSON.stringify(content);
      if (held.current.of !== of) held.current = { of, key: keptKey(id, of) ?? newIdempotencyKey() };
      keepKey(id, held.current);
      return held.current.key;
    },
    next: () => {
      held.current = { of: '', key: '' };
    },
  };
};

interface AnsweredProps {
  id: string;
  around: Around;
  isRefused: boolean;
  drop: () => void;
}

const Answered = ({ id, around, isRefused, drop }: AnsweredProps) => {
  const message = around.said(id);
  return (
    <div class="answered small">
      <p class="cut">
        {t('Reply to')}{' '}
        {message === undefined ? t('an earlier message') : <QuotedLine message={message} around={around} />}
      </p>
      {isRefused && <p class="bad">{t('This message cannot be quoted. Remove the quote.')}</p>}
      <button type="button" class="plain" aria-label={t('Remove quote')} onClick={drop}>
        <Icon name="close" />
      </button>
    </div>
  );
};

/** A reply names no assignee. It is sent by now, so a failure here must not invite a second one. */
const assignMe = async (id: string): Promise<void> => {
  try {
    await engine.value.conversations.assign(id, { assignee: me.value });
  } catch (error) {
    say(t('Sent, but not assigned to you. {0}', toFailure(error).sentence));
  }
};

interface ComposerProps {
  id: string;
  /** Undefined until it is loaded. */
  chat: Conversation | undefined;
  /** Whether the agent answers there now. */
  isOfAgent: boolean;
  /** The loaded messages of the conversation, with the ones sent here. */
  messages: readonly Message[] | undefined;
  around: Around;
  onSent: () => void;
}

export const Composer = ({ id, chat, isOfAgent, messages, around, onSent }: ComposerProps) => {
  const draft = draftOf(id);
  const change = (part: Partial<Draft>): void => changeDraft(id, part);
  const [problem, setProblem] = useState<Failure | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [sent, setSent] = useState<Sent | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isManaging, setManaging] = useState(false);
  const { keyOf, next } = useKeyOf(id);
  const add = (files: readonly File[]): void => {
    const all = withFiles(draftOf(id), files);
    change({ files: all });
    if (all.length < draft.files.length + files.length)
      say(t('A message has 10 files at most. The others were not added.'));
  };
  const isOver = useDrop(add);
  const open = openIn(draft.text);

  const send = async (): Promise<void> => {
    const why = whyNot(draft);
    setRefusal(why);
    if (why !== null || isBusy) return;
    setBusy(true);
    setProblem(null);
    try {
      const { text, attachments, buttons, replyTo, sendAt } = await contentOf(draft, (file, about) =>
        engine.value.files.attach(file, about),
      );
      const options = { idempotencyKey: keyOf([id, markOf(draft)]) };
      // A reply takes the conversation over; buttons are sent by a route that does not, and the agent would talk over them.
      if (buttons && isOfAgent) await engine.value.conversations.assign(id, { assignee: me.value || undefined });
      const answer = buttons
        ? await engine.value.messages.sendButtons({ conversationId: id, text, buttons, replyTo, sendAt }, options)
        : await engine.value.conversations.reply(id, { text, attachments, replyTo, sendAt, actor: 'person' }, options);
      setSent(answer);
      next();
      setDraft(id, writtenSince(draft, draftOf(id)));
      if (!buttons && becomesMine({ isOfAgent, chat, sendAt, me: me.value })) await assignMe(id);
      onSent();
    } catch (error) {
      setProblem(toFailure(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <form
        class="composer"
        aria-label={t('Answer')}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {draft.quotes !== undefined && (
          <Answered
            id={draft.quotes}
            around={around}
            isRefused={errorAt(problem, '/replyTo') !== undefined}
            drop={() => {
              change({ quotes: undefined });
              setProblem(null);
            }}
          />
        )}
        {isOver && <p class="small drop">{t('Drop the files to add them to this message.')}</p>}
        <Thumbs draft={draft} change={change} />
        <Writing
          draft={draft}
          change={change}
          add={add}
          chat={chat}
          error={refusal ?? errorAt(problem, '/text')}
          isBusy={isBusy}
          send={() => void send()}
          isManaging={isManaging}
          manage={() => setManaging(true)}
        />
        {problem && <Problem problem={problem} />}
        <div class="below">
          <Extras draft={draft} change={change} />
          <div class="plans">
            <PlanLine id={id} draft={draft} />
            {open.length > 0 && (
              <p class="small bad">
                {t('Replace')} {open.join(', ')} {t('before you send.')}
              </p>
            )}
            {isOfAgent && <p class="small quiet">{t('Sending takes the conversation over from the agent.')}</p>}
            {sent && (
              <Outcome sent={sent} status={messages?.find(({ messageId }) => messageId === sent.messageId)?.status} />
            )}
          </div>
        </div>
      </form>
      {/* Within the form, saving an answer would also send the message. */}
      <CannedDialog open={isManaging} close={() => setManaging(false)} draft={draft.text} />
    </>
  );
};
