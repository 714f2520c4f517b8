/** A list to its end, page after page: where a choice or a table that stops at a page would hide the rest. */
export const allOf = async <T>(list: AsyncIterable<T>): Promise<T[]> => {
  const rows: T[] = [];
  for await (const row of list) rows.push(row);
  return rows;
};
