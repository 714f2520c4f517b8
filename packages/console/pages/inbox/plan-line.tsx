import { Time } from '../../parts/time.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { engine } from '../../shell/engine.ts';
import { hasButtons, isEmpty } from './draft.ts';
import type { Draft } from './draft.ts';
import { planText } from './words.ts';
import { t } from '../../parts/words/t.ts';

/** The plan is asked for again while a person writes, but not with each word. */
const LOOK_AGAIN_MS = 20_000;
const HOLDS = ['session.status', 'session.restricted', 'session.recovered'];

const iso = (later: string): string | undefined => {
  const at = new Date(later);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
};

/** When what somebody writes would go out, before they send it. */
export const PlanLine = ({ id, draft }: { id: string; draft: Draft }) => {
  const isAsked = !isEmpty(draft);
  const kind = hasButtons(draft) ? 'buttons' : 'text';
  const sendAt = iso(draft.later);
  const { data, problem } = useLoad({
    load: async (signal) =>
      isAsked
        ? engine.value.conversations.readPlan(
            id,
            // Buttons are sent by a program's route.
            { kind, actor: kind === 'buttons' ? 'bot' : 'person', sendAt },
            { signal },
          )
        : null,
    deps: [id, isAsked, kind, sendAt],
    keep: true,
    on: isAsked ? HOLDS : [],
    every: LOOK_AGAIN_MS,
    isBeside: true,
  });
  // Whether it can go out is told when it is sent, too: a plan that cannot be read hinders nobody.
  if (!isAsked || problem || !data) return <p class="small quiet plan" role="status" />;
  return (
    <p class="small quiet plan" role="status">
      {data.plan === null ? (
        <span class="bad">
          {t('This message cannot be sent:')} {data.error?.message ?? t('the engine refuses it')}
        </span>
      ) : (
        <>
          {t('Will be sent')} {planText(data.plan.rule)}
          {data.plan.sendAt !== null && data.plan.rule !== 'now' && (
            <>
              {t(', at about ')}
              <Time at={data.plan.sendAt} how="clock" />
            </>
          )}
          .
        </>
      )}
      {data.renderedAs === 'text' && t(' This account does not support buttons: the engine sends a numbered list.')}
    </p>
  );
};
