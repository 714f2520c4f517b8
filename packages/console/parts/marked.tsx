/** Words of the engine in which code stands between backticks, as in its documents. */
export const Marked = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, place) => (place % 2 === 1 ? <code key={place}>{part}</code> : part))}</>
);
