/** The name of a definition as the API has it: the export `welcomeContact` is `welcome-contact`. */
export function definitionName(exported: string): string {
  return exported.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
