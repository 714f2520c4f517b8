import { useState } from 'preact/hooks';
import { Action } from '../../parts/action.tsx';
import { Field, Search } from '../../parts/field.tsx';
import { Section } from '../../parts/panel.tsx';
import { Problem, toFailure } from '../../parts/problem.tsx';
import type { Failure } from '../../parts/problem.tsx';
import { Badge } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { wordOf } from '../../parts/words/word-of.ts';
import { engine, mayDo } from '../../shell/engine.ts';
import { href, query, setQuery } from '../../shell/location.ts';
import { say } from '../../shell/say.tsx';

const SOURCES = { manual: 'entered by a person', ai_extracted: 'found by the agent', automation: 'from an automation' };
const sourceOf = (source: string): string => wordOf(SOURCES, source);

/** Facts that the agent is told, and where each comes from. */
export const Memories = () => {
  const contactId = query.value['contactId'];
  const category = query.value['category'];
  const pages = usePages({
    load: (cursor, signal) => engine.value.memories.list({ contactId, category, limit: 50, cursor }, { signal }),
    items: (page) => page.memories,
    key: ({ id }) => id,
    deps: [contactId, category],
    keep: true,
  });
  return (
    <Section title={contactId === undefined ? 'Memories about your business' : 'Memories about one customer'}>
      <div class="filters">
        <Search
          label="Customer"
          placeholder="Contact ID (con_…)"
          value={contactId}
          onChange={(value) => setQuery({ contactId: value })}
        />
        <Search label="Category" value={category} onChange={(value) => setQuery({ category: value })} />
      </div>
      {pages.problem && <Problem problem={pages.problem} retry={pages.reload} />}
      {pages.items?.length === 0 && <p class="quiet">No memories match.</p>}
      <ul class="stack" aria-label="Memories">
        {pages.items?.map((memory) => (
          <li key={memory.id} class="panel">
            <p class="words" dir="auto">
              {memory.fact}
            </p>
            <p class="row small quiet">
              <Badge tone="quiet">{memory.category}</Badge>
              <span>{sourceOf(memory.source)}</span>
              {memory.confidence !== null && <span>{Math.round(memory.confidence * 100)} % sure</span>}
              <Time at={memory.createdAt} />
              {memory.expiresAt !== null && (
                <span>
                  expires <Time at={memory.expiresAt} how="day" />
                </span>
              )}
              {memory.evidenceMessageId !== null && (
                <a href={href(`/message/${encodeURIComponent(memory.evidenceMessageId)}`)}>Source message</a>
              )}
            </p>
            {mayDo(memory.contactId === null ? 'ai:admin' : 'send') && (
              <div>
                <Action
                  run={async () => {
                    await engine.value.memories.delete(memory.id);
                    pages.reload();
                  }}
                  confirm={{ title: 'Delete this memory?', text: memory.fact, yes: 'Delete', danger: true }}
                  done="Deleted"
                >
                  Delete …
                </Action>
              </div>
            )}
          </li>
        ))}
      </ul>
      {pages.hasMore && (
        <div>
          <button type="button" onClick={pages.more}>
            Show more
          </button>
        </div>
      )}
      {mayDo(contactId === undefined ? 'ai:admin' : 'send') && <NewFact contactId={contactId} added={pages.reload} />}
    </Section>
  );
};

const NewFact = ({ contactId, added }: { contactId: string | undefined; added: () => void }) => {
  const [fact, setFact] = useState('');
  const [problem, setProblem] = useState<Failure | null>(null);
  const add = async (): Promise<void> => {
    setProblem(null);
    try {
      await engine.value.memories.create({ fact, category: 'context', source: 'manual', contactId });
      setFact('');
      say('Memory added');
      added();
    } catch (error) {
      setProblem(toFailure(error));
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <Field label="Add a memory" hint="For example: We also deliver on Saturdays.">
        {(props) => (
          <textarea
            {...props}
            dir="auto"
            rows={2}
            required
            value={fact}
            onInput={(event) => setFact(event.currentTarget.value)}
          />
        )}
      </Field>
      {problem && <Problem problem={problem} />}
      <div>
        <button type="submit">Add memory</button>
      </div>
    </form>
  );
};
