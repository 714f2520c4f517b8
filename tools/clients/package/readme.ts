/** The pieces of TypeScript in a page, as one program: each has its own imports, and uses what those before it have made. */
export function programOf(page: string): string {
  return [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, piece]) => piece).join('\n');
}
