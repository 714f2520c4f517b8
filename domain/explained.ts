/** Writes a table of machine words as the list that the document shows under a field. */
export function explained(intro: string, words: Readonly<Record<string, string>>): string {
  const lines = Object.entries(words).map(([word, sentence]) => `- \`${word}\`: ${sentence}`);
  return `${intro}\n\n${lines.join('\n')}`;
}
