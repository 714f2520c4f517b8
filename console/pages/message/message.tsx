import type { DeliveryStatus, StreamedEvent } from '../../../sdk/typescript/src/index.ts';
import { Action } from '../../parts/action.tsx';
import { Loadable, Section } from '../../parts/panel.tsx';
import { Badge, Facts } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { Timeline } from '../../parts/timeline.tsx';
import { useLoad } from '../../parts/use-load.ts';
import type { Loading } from '../../parts/use-load.ts';
import { engine, mayDo, seesEvents, who } from '../../shell/engine.ts';
import { go, href } from '../../shell/location.ts';
import { STATUSES } from '../inbox/words.ts';
import { Resolve } from './resolve.tsx';
import { heldText, mayCancel, mayResolve, maySendAgain, storyOf, summaryOf } from './story.ts';
import { tellingsOf } from './told.ts';

const CHANGES = [
  'message.ack',
  'message.any',
  'message.updated',
  'message.edited',
  'message.revoked',
  'message.reaction',
  'message',
];
/** For what no event tells, such as that it waits for its pace. */
const LOOK_AGAIN_MS = 5_000;

const temporalLink = (workflowId: string): string | null => {
  const ui = who.value?.temporalUi;
  if (!ui) return null;
  const namespace = encodeURIComponent(ui.namespace);
  return `${ui.url.replace(/\/$/, '')}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}`;
};

const Actions = ({ message, reload }: { message: DeliveryStatus; reload: () => void }) => {
  const id = message.messageId;
  return (
    <div class="row">
      {mayCancel(message) && (
        <Action
          tone="danger"
          confirm={{
            title: 'Cancel this message?',
            text: 'It is not sent. You can send it again later.',
            yes: 'Cancel the message',
            danger: true,
          }}
          done="Cancelled"
          run={async () => {
            await engine.value.messages.cancel(id);
            reload();
          }}
        >
          Cancel
        </Action>
      )}
      {maySendAgain(message) && (
        <Action
          tone="primary"
          confirm={{
            title: 'Send it again?',
            text: 'A new message with the same words goes out, in its turn.',
            yes: 'Send again',
          }}
          done="A new message was accepted; this is its story"
          run={async () => {
            const answer = await engine.value.messages.resend(id);
            go(`/message/${answer.messageId}`);
          }}
        >
          Send again
        </Action>
      )}
    </div>
  );
};

const Details = ({ message }: { message: DeliveryStatus }) => {
  const temporal = message.workflowId === null ? null : temporalLink(message.workflowId);
  return (
    <Facts
      items={[
        ['To', message.to],
        ['Conversation', <a href={href(`/inbox/${message.conversationId}`)}>Open it in the inbox</a>],
        ['Account', <a href={href(`/connect/${message.sessionId}`)}>{message.sessionId}</a>],
        ['Attempts', message.attempts],
        ...(message.heldBy === null ? [] : [['Held', heldText(message.heldBy)] as const]),
        ...(message.heldUntil === null ? [] : [['Held until', <Time at={message.heldUntil} how="clock" />] as const]),
        ...(message.plan ? [['Likely to go out', <Time at={message.plan.sendAt} how="clock" />] as const] : []),
        ...(message.scheduledFor === null
          ? []
          : [['Chosen time', <Time at={message.scheduledFor} how="clock" />] as const]),
        ...(message.expiresAt === null
          ? []
          : [['Not sent after', <Time at={message.expiresAt} how="clock" />] as const]),
        ...(message.resendOf === null
          ? []
          : [['Repeats', <a href={href(`/message/${message.resendOf}`)}>{message.resendOf}</a>] as const]),
        ['Id', <span class="mono">{message.messageId}</span>],
        ...(message.workflowId === null
          ? []
          : [
              [
                'In Temporal',
                temporal === null ? (
                  <span class="mono">{message.workflowId}</span>
                ) : (
                  <a href={temporal} target="_blank" rel="noreferrer">
                    {message.workflowId}
                  </a>
                ),
              ] as const,
            ]),
      ]}
    />
  );
};

export const MessageStory = ({ id }: { id: string }) => {
  const message: Loading<DeliveryStatus> = useLoad({
    load: (signal) => engine.value.messages.readStatus(id, {}, { signal }),
    deps: [id],
    on: CHANGES,
    when: (event) => isHere(event),
    every: LOOK_AGAIN_MS,
  });
  const isHere = ({ conversationId: of }: StreamedEvent): boolean => of === message.data?.conversationId;
  const actions = useLoad({
    load: (signal) => engine.value.messages.listActions(id, {}, { signal }),
    deps: [id],
    on: CHANGES,
    when: isHere,
    isBeside: true,
  });
  const conversationId = message.data?.conversationId;
  const since = message.data?.timestamps.queued;
  const told = useLoad({
    load: async (signal) =>
      conversationId === undefined || since === undefined || !seesEvents.value
        ? []
        : tellingsOf(engine.value, { id, conversationId, since }, signal),
    deps: [id, conversationId, since],
    on: CHANGES,
    when: isHere,
    isBeside: true,
  });
  return (
    <div class="grid2">
      <Section
        title="What became of it"
        actions={message.data && mayDo('send') && <Actions message={message.data} reload={message.reload} />}
      >
        <Loadable of={message}>
          {(one) => (
            <div class="stack">
              <p>
                <Badge tone={STATUSES[one.status].tone}>{STATUSES[one.status].word}</Badge>
              </p>
              <p class="words" role="status" dir="auto">
                {summaryOf(one)}
              </p>
              <blockquote class="words" dir="auto">
                {one.body || one.kind}
              </blockquote>
              {mayResolve(one) && mayDo('send') && <Resolve id={id} reload={message.reload} />}
              <Details message={one} />
            </div>
          )}
        </Loadable>
      </Section>
      <Section title="Its story">
        <Loadable of={message}>
          {(one) => <Timeline label="Its story" entries={storyOf(one, actions.data?.actions ?? [], told.data ?? [])} />}
        </Loadable>
        {actions.problem && <Loadable of={actions}>{() => null}</Loadable>}
        {told.problem && <Loadable of={told}>{() => null}</Loadable>}
      </Section>
    </div>
  );
};
