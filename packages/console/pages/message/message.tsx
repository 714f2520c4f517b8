import type { DeliveryStatus, StreamedEvent } from '../../../typescript/src/index.ts';
import { Action } from '../../parts/action.tsx';
import { Loadable, Section } from '../../parts/panel.tsx';
import { Badge, Facts } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { Timeline } from '../../parts/timeline.tsx';
import { useLoad } from '../../parts/use-load.ts';
import type { Loading } from '../../parts/use-load.ts';
import { engine, mayDo, seesEvents, who } from '../../shell/engine.ts';
import { go, href } from '../../shell/location.ts';
import { stateOf } from '../inbox/words.ts';
import { Resolve } from './resolve.tsx';
import { heldText, mayCancel, mayResolve, maySendAgain, storyOf, summaryOf } from './message-history.ts';
import { momentsOf, tellingsOf } from './event-moments.ts';
import { t } from '../../parts/words/t.ts';

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
            title: t('Cancel this message?'),
            text: t('The engine does not send the message. You can resend it later.'),
            yes: t('Cancel message'),
            danger: true,
          }}
          done={t('Cancelled')}
          run={async () => {
            await engine.value.messages.cancel(id);
            reload();
          }}
        >
          {t('Cancel …')}
        </Action>
      )}
      {maySendAgain(message) && (
        <Action
          tone="primary"
          confirm={{
            title: t('Resend this message?'),
            text: t('A new message with the same content is sent.'),
            yes: t('Resend'),
          }}
          done={t('A new message was accepted. This page shows it')}
          run={async () => {
            const answer = await engine.value.messages.resend(id);
            go(`/message/${answer.messageId}`);
          }}
        >
          {t('Resend …')}
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
        [t('To'), message.to],
        [t('Conversation'), <a href={href(`/inbox/${message.conversationId}`)}>{t('Open in the inbox')}</a>],
        [t('Account'), <a href={href(`/connect/${message.sessionId}`)}>{message.sessionId}</a>],
        [t('Attempts'), message.attempts],
        ...(message.heldBy === null ? [] : [[t('Reason for waiting'), heldText(message.heldBy)] as const]),
        ...(message.heldUntil === null
          ? []
          : [[t('Waits until'), <Time at={message.heldUntil} how="clock" />] as const]),
        ...(message.plan ? [[t('Expected'), <Time at={message.plan.sendAt} how="clock" />] as const] : []),
        ...(message.scheduledFor === null
          ? []
          : [[t('Scheduled for'), <Time at={message.scheduledFor} how="clock" />] as const]),
        ...(message.expiresAt === null ? [] : [[t('Expires'), <Time at={message.expiresAt} how="clock" />] as const]),
        ...(message.resendOf === null
          ? []
          : [[t('Resend of'), <a href={href(`/message/${message.resendOf}`)}>{message.resendOf}</a>] as const]),
        [t('ID'), <span class="mono">{message.messageId}</span>],
        ...(message.workflowId === null
          ? []
          : [
              [
                t('In Temporal'),
                temporal === null ? (
                  <span class="mono">{message.workflowId}</span>
                ) : (
                  <a class="mono" href={temporal} target="_blank" rel="noreferrer">
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
  const moments = message.data ? momentsOf(message.data, actions.data?.actions ?? []) : [];
  const told = useLoad({
    load: async (signal) =>
      conversationId === undefined || !seesEvents.value
        ? []
        : tellingsOf(engine.value, { id, conversationId, moments }, signal),
    deps: [id, conversationId, ...moments],
    // A new state of the message is no reason to hide the page meanwhile.
    keep: true,
    on: CHANGES,
    when: isHere,
    isBeside: true,
  });
  return (
    <div class="grid2">
      <Section
        title={t('Status')}
        actions={message.data && mayDo('send') && <Actions message={message.data} reload={message.reload} />}
      >
        <Loadable of={message}>
          {(one) => (
            <div class="stack">
              <p>
                <Badge tone={stateOf(one).tone}>{stateOf(one).word}</Badge>
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
      <Section title={t('History')}>
        <Loadable of={message}>
          {(one) => (
            <Timeline label={t('History')} entries={storyOf(one, actions.data?.actions ?? [], told.data ?? [])} />
          )}
        </Loadable>
        {actions.problem && <Loadable of={actions}>{() => null}</Loadable>}
        {told.problem && <Loadable of={told}>{() => null}</Loadable>}
      </Section>
    </div>
  );
};
