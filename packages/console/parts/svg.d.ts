/** The bundle has the text of a drawing (`bin/console-bundle.ts`). */
declare module '*.svg' {
  const drawing: string;
  export default drawing;
}
