import type { AutomationDefinition } from '../../../typescript/src/index.ts';
import { Loadable, Section } from '../../parts/panel.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { engine, isGuest } from '../../shell/engine.ts';
import { DryRuns } from './dry-runs.tsx';

/** As many of the newest conversations are tried until one would have started the automation. */
const TRIED = 3;

/** The steps of a rehearsal on the newest conversation that would have started it. Nothing is sent. */
export const Rehearsed = ({ definition }: { definition: AutomationDefinition }) => {
  const { name, input } = definition;
  // A request that says something has to be written first, below. A link does not open the list of chats.
  const isPossible = input === null && !isGuest.value;
  const rehearsal = useLoad({
    load: async (signal) => {
      if (!isPossible) return null;
      const { chats } = await engine.value.conversations.list({ limit: TRIED }, { signal });
      for (const { conversationId } of chats) {
        const tried = await engine.value.automations.dryRun(name, { conversationId }, { signal });
        const [run] = tried.runs;
        if (run) return { ...tried, runs: [run], isCut: false };
      }
      return null;
    },
    deps: [name, isPossible],
  });
  if (!isPossible) return null;
  return (
    <Section title="Rehearsal" level={3}>
      <Loadable of={rehearsal}>
        {(tried) =>
          tried === null ? (
            <p class="quiet">None of the newest conversations would have started it. Try it on another one below.</p>
          ) : (
            <DryRuns of={tried} />
          )
        }
      </Loadable>
    </Section>
  );
};
