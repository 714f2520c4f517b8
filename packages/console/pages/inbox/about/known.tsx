import type { ComponentChildren } from 'preact';
import type { Conversation } from '../../../../typescript/src/index.ts';
import { Problem } from '../../../parts/problem.tsx';
import { Time } from '../../../parts/time.tsx';
import { useLoad } from '../../../parts/use-load.ts';
import type { Loading } from '../../../parts/use-load.ts';
import { spelledOut } from '../../../parts/words/word-of.ts';
import { engine, isGuest } from '../../../shell/engine.ts';
import { href } from '../../../shell/location.ts';
import { t } from '../../../parts/words/t.ts';

const AT_ONCE = 5;
const LOOK_AGAIN_MS = 30_000;
const RUNS = ['automation.started', 'automation.completed', 'automation.failed'];

interface PartProps<T> {
  title: string;
  of: Pick<Loading<readonly T[]>, 'data' | 'problem' | 'reload'>;
  /** The words for an empty list; without them, an empty part is not shown. */
  none?: string;
  children: (item: T) => ComponentChildren;
  more?: ComponentChildren;
}

const Part = <T,>({ title, of, none, children, more }: PartProps<T>) => {
  if (of.data?.length === 0 && none === undefined) return null;
  if (of.data === undefined && !of.problem) return null;
  return (
    <section class="about-person" aria-label={title}>
      <h3>{title}</h3>
      {of.problem && <Problem problem={of.problem} retry={of.reload} />}
      {of.data?.length === 0 && <p class="small quiet">{none}</p>}
      <ul>{of.data?.map(children)}</ul>
      {more}
    </section>
  );
};

/** The facts that the agent knows about the contact. */
export const Facts = ({ contactId }: { contactId: string }) => {
  const facts = useLoad({
    load: async (signal) => (await engine.value.memories.list({ contactId, limit: AT_ONCE }, { signal })).memories,
    deps: [contactId],
    every: LOOK_AGAIN_MS,
    isBeside: true,
  });
  return (
    <Part
      title={t('Known to the agent')}
      of={facts}
      none={t('Nothing yet.')}
      more={!isGuest.value && <a href={href('/agent/memories', { contactId })}>{t('All facts')}</a>}
    >
      {({ id, fact }) => (
        <li key={id} class="words" dir="auto">
          {fact}
        </li>
      )}
    </Part>
  );
};

/** The automations that run in this conversation now. */
export const Runs = ({ id }: { id: string }) => {
  const runs = useLoad({
    load: async (signal) => {
      const asked = { conversationId: id, status: 'running', limit: AT_ONCE } as const;
      return (await engine.value.automations.listExecutions(asked, { signal })).executions;
    },
    deps: [id],
    on: RUNS,
    every: LOOK_AGAIN_MS,
    isBeside: true,
  });
  return (
    <Part title={t('Running automations')} of={runs}>
      {(run) => (
        <li key={run.id}>
          <a href={href(`/automations/runs/${encodeURIComponent(run.id)}`)}>{spelledOut(run.automation)}</a>{' '}
          <span class="small quiet">
            {t('since')} <Time at={run.createdAt} how="brief" />
          </span>
        </li>
      )}
    </Part>
  );
};

/** The chats of the same person with other accounts of the tenant. */
export const OtherChats = ({ chats }: { chats: Conversation['otherChats'] }) =>
  chats.length === 0 ? null : (
    <section class="about-person" aria-label={t('Other chats')}>
      <h3>{t('Other chats')}</h3>
      <ul>
        {chats.map(({ conversationId, accountName, lastMessageAt }) => (
          <li key={conversationId}>
            <a href={href(`/inbox/${conversationId}`)} dir="auto">
              {accountName}
            </a>{' '}
            {lastMessageAt !== null && (
              <span class="small quiet">
                <Time at={lastMessageAt} how="brief" />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
