/** The words for a code. A newer engine may have codes that this page does not know: they stay as they are. */
export const wordOf = (words: Readonly<Record<string, string>>, code: string): string =>
  Object.hasOwn(words, code) ? (words[code] ?? code) : code;

/** A name of the code as people read it: "answerWithinHours" and "rotate_secret" become words. */
export const spelledOut = (name: string): string => {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[._-]+/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
