import { Section } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { engine, who } from '../../shell/engine.ts';
import { href, query } from '../../shell/location.ts';
import { AttemptList } from './attempt-list.tsx';
import { More } from './more.tsx';

const LOOK_MS = 5_000;

export const Attempts = () => {
  const endpointId = who.value?.endpointId ?? query.value['endpointId'];
  const pages = usePages({
    load: (cursor, signal) => engine.value.webhookAttempts.list({ endpointId, limit: 25, cursor }, { signal }),
    items: (page) => page.attempts,
    key: ({ deliveryId, number, at }) => `${deliveryId} ${number} ${at}`,
    deps: [endpointId],
    every: LOOK_MS,
  });
  return (
    <Section title="Attempts">
      {query.value['endpointId'] !== undefined && (
        <div>
          <a class="button" href={href('/events/attempts')}>
            Show all endpoints
          </a>
        </div>
      )}
      {pages.problem && <Problem problem={pages.problem} retry={pages.reload} />}
      {pages.items && <AttemptList attempts={pages.items} />}
      <More of={pages} />
    </Section>
  );
};
