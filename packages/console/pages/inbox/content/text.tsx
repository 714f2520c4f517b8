import { useMemo } from 'preact/hooks';
import { partsOf } from './marks.ts';
import type { Part } from './marks.ts';

/** A mark is there for who copies the words, and not for who reads them. */
const Mark = ({ of }: { of: string }) => <span class="mark">{of}</span>;

const Marked = ({ part }: { part: Part }) => {
  if (part.kind === 'words') return <>{part.text}</>;
  if (part.kind === 'link')
    return (
      <a href={part.to} target="_blank" rel="noreferrer">
        {part.text}
      </a>
    );
  if (part.kind === 'code')
    return (
      <code>
        <Mark of={part.mark} />
        {part.text}
        <Mark of={part.mark} />
      </code>
    );
  const Tag = part.kind === 'bold' ? 'strong' : part.kind === 'italic' ? 'em' : 's';
  return (
    <Tag>
      <Mark of={part.mark} />
      <Parts of={part.parts} />
      <Mark of={part.mark} />
    </Tag>
  );
};

const Parts = ({ of }: { of: readonly Part[] }) => (
  <>
    {of.map((part, place) => (
      <Marked key={place} part={part} />
    ))}
  </>
);

/** The words of a message, with the network's marks and with links. */
export const Text = ({ text }: { text: string }) => {
  const parts = useMemo(() => partsOf(text), [text]);
  return (
    <p class="words" dir="auto">
      <Parts of={parts} />
    </p>
  );
};
