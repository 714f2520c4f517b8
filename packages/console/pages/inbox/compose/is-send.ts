/** Safari ends the composition before it tells of the key, so that its code alone says what the key was. */
const INPUT_METHOD = 229;

interface Composing {
  isComposing: boolean;
  keyCode: number;
}

/** True if the key is the input method's: Enter then chooses a word. */
export const isComposing = (press: Composing): boolean => press.isComposing || press.keyCode === INPUT_METHOD;

interface Press extends Composing {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

export const isSend = (press: Press, byEnter: boolean): boolean => {
  const { key, ctrlKey, metaKey, shiftKey } = press;
  return key === 'Enter' && !isComposing(press) && (ctrlKey || metaKey || (byEnter && !shiftKey));
};
