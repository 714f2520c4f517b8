import { useState } from 'preact/hooks';
import { Action } from '../../parts/action.tsx';
import { Field, Search } from '../../parts/field.tsx';
import { Section } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Badge } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { wordOf } from '../../parts/words/word-of.ts';
import { engine, mayDo } from '../../shell/engine.ts';
import { href, query, setQuery } from '../../shell/location.ts';
import { say } from '../../shell/say.tsx';
import { t } from '../../parts/words/t.ts';
import { More } from '../../parts/paged-table.tsx';
import { useDeed } from '../../parts/use-deed.ts';

const SOURCES = {
  manual: t('entered by a person'),
  ai_extracted: t('found by the agent'),
  automation: t('from an automation'),
};
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
    <Section title={contactId === undefined ? t('Memories about your business') : t('Memories about one customer')}>
      <div class="filters">
        <Search
          label={t('Customer')}
          placeholder={t('Contact ID (con_…)')}
          value={contactId}
          onChange={(value) => setQuery({ contactId: value })}
        />
        <Search label={t('Category')} value={category} onChange={(value) => setQuery({ category: value })} />
      </div>
      {pages.problem && <Problem problem={pages.problem} retry={pages.reload} />}
      {pages.items?.length === 0 && <p class="quiet">{t('No memories match.')}</p>}
      <ul class="stack" aria-label={t('Memories')}>
        {pages.items?.map((memory) => (
          <li key={memory.id} class="panel">
            <p class="words" dir="auto">
              {memory.fact}
            </p>
            <p class="row small quiet">
              <Badge tone="quiet">{memory.category}</Badge>
              <span>{sourceOf(memory.source)}</span>
              {memory.confidence !== null && (
                <span>
                  {Math.round(memory.confidence * 100)} {t('% sure')}
                </span>
              )}
              <Time at={memory.createdAt} />
              {memory.expiresAt !== null && (
                <span>
                  {t('expires')} <Time at={memory.expiresAt} how="day" />
                </span>
              )}
              {memory.evidenceMessageId !== null && (
                <a href={href(`/message/${encodeURIComponent(memory.evidenceMessageId)}`)}>{t('Source message')}</a>
              )}
            </p>
            {mayDo(memory.contactId === null ? 'ai:admin' : 'send') && (
              <div>
                <Action
                  run={async () => {
                    await engine.value.memories.delete(memory.id);
                    pages.reload();
                  }}
                  confirm={{ title: t('Delete this memory?'), text: memory.fact, yes: t('Delete'), danger: true }}
                  done={t('Deleted')}
                >
                  {t('Delete …')}
                </Action>
              </div>
            )}
          </li>
        ))}
      </ul>
      <More of={pages} />
      {mayDo(contactId === undefined ? 'ai:admin' : 'send') && <NewFact contactId={contactId} added={pages.reload} />}
    </Section>
  );
};

const NewFact = ({ contactId, added }: { contactId: string | undefined; added: () => void }) => {
  const [fact, setFact] = useState('');
  const { problem, act: add } = useDeed(async () => {
    await engine.value.memories.create({ fact, category: 'context', source: 'manual', contactId });
    setFact('');
    say(t('Memory added'));
    added();
  });
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <Field label={t('Add a memory')} hint={t('For example: We also deliver on Saturdays.')}>
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
        <button type="submit">{t('Add memory')}</button>
      </div>
    </form>
  );
};
