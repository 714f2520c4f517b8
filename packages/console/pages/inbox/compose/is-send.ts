interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  /** Enter then chooses a word of an input method. */
  isComposing: boolean;
}

export const isSend = ({ key, ctrlKey, metaKey, shiftKey, isComposing }: Press, byEnter: boolean): boolean =>
  key === 'Enter' && !isComposing && (ctrlKey || metaKey || (byEnter && !shiftKey));
