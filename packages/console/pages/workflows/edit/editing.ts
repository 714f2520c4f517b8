import { createContext } from 'preact';
import { useContext, useEffect, useId } from 'preact/hooks';
import type { WorkflowCheck } from '../../../../typescript/src/index.ts';
import type { EventTrigger, FlowFunction } from '../model/forms.ts';
import type { Json } from '../model/json.ts';
import type { Edited } from '../model/steps.ts';

export type Problem = WorkflowCheck['problems'][number];

/** The definition that is edited, and the ways to change it. */
export interface Editing {
  definition: Json;
  functions: readonly FlowFunction[];
  triggers: readonly EventTrigger[];
  problems: readonly Problem[];
  isReadOnly: boolean;
  /** Takes another definition. Changes of one field in a row are one step of undo. */
  change: (definition: Json, field?: string) => void;
  /** Takes an edit of a list, and leads the focus to its card, which opens unless it is to stay closed. */
  edit: (edited: Edited | null, isOpen?: boolean) => void;
  /** The cards that are open, by their keys. */
  open: ReadonlySet<string>;
  toggle: (card: string) => void;
  /** The places whose typed text cannot be read, so that no definition has it yet. */
  unread: readonly string[];
  /** Notes such a place by the id of its field; null once the text can be read, or its field is gone. */
  markUnread: (id: string, pointer: string | null) => void;
  /** Asks which step to add at a place of a list. */
  add: (list: string, place: number) => void;
}

export const EditingContext = createContext<Editing | null>(null);

export const useEditing = (): Editing => {
  const editing = useContext(EditingContext);
  if (editing === null) throw new Error('A card is outside the editor.');
  return editing;
};

/** Tells the editor of a text that cannot be read, so that nobody saves or leaves without it unknowingly. */
export const useUnread = (isUnread: boolean, pointer: string): void => {
  const { markUnread } = useEditing();
  const id = useId();
  useEffect(() => {
    if (!isUnread) return undefined;
    markUnread(id, pointer);
    return () => markUnread(id, null);
  }, [isUnread, pointer]);
};

export const isWithin = (pointer: string, around: string): boolean =>
  pointer === around || pointer.startsWith(`${around}/`);

/** The problems of a value and of what is in it. */
export const problemsAt = (problems: readonly Problem[], pointer: string): Problem[] =>
  problems.filter((problem) => isWithin(problem.pointer, pointer));
