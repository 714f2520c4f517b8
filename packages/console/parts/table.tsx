import type { ComponentChildren } from 'preact';
import { t } from './words/t.ts';

export interface Column<T> {
  head: string;
  cell: (row: T) => ComponentChildren;
  numeric?: boolean;
  wide?: boolean;
}

export interface TableProps<T> {
  /** Names the list for screen readers. */
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  empty: string;
}

/** A table that scrolls by itself where the screen is narrow. */
export const Table = <T,>({ caption, columns, rows, rowKey, empty }: TableProps<T>) =>
  rows.length === 0 ? (
    <p class="quiet">{empty}</p>
  ) : (
    <div class="scroll" role="region" aria-label={t('Table: {0}', caption)} tabIndex={0}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.head} scope="col" class={column.numeric ? 'number' : undefined}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) => (
                <td
                  key={column.head}
                  class={[column.numeric ? 'number' : '', column.wide ? 'wide' : ''].join(' ').trim()}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
