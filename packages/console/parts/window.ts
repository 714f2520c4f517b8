export interface Windowed {
  first: number;
  /** The one after the last. */
  end: number;
  /** The height of the rows before and after them. */
  before: number;
  after: number;
}

/** Which of many equally high rows are to be there, with some more before and after what is seen. */
export const windowOf = (count: number, height: number, scrolled: number, seen: number, more = 8): Windowed => {
  const first = Math.max(0, Math.min(count, Math.floor(scrolled / height) - more));
  const end = Math.min(count, Math.max(first, Math.ceil((scrolled + seen) / height) + more));
  return { first, end, before: first * height, after: (count - end) * height };
};
