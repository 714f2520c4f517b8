import type { ConsoleFiles } from './files.ts';

/** The one page of the console; the script reads the rest from the address. `linkId` is the link of its frame. */
export function consolePage(root: string, console: ConsoleFiles | undefined, linkId: string | null): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>Console</title>${
    linkId === null ? '' : `<meta name="engine-link" content="${linkId}">`
  }
<link rel="icon" href="data:,">${console === undefined ? '' : headOf(`${root}/assets`, console)}</head>
<body><div id="console"></div>${
    console === undefined
      ? '<main><h1>No console</h1><p>This installation has no files of the console: make them with <code>npm run bundle</code>.</p></main>'
      : '<noscript><main><h1>Console</h1><p>The console needs JavaScript.</p></main></noscript>'
  }</body></html>
`;
}

function headOf(assets: string, { script, style, needed }: ConsoleFiles): string {
  return [
    `<link rel="stylesheet" href="${assets}/${style}">`,
    ...needed.map((name) => `<link rel="modulepreload" href="${assets}/${name}">`),
    `<script type="module" src="${assets}/${script}"></script>`,
  ].join('');
}

/**
 * Nothing inline and nothing from elsewhere, but files where `MEDIA_PUBLIC_URL` says that the engine gives them.
 * `embedders` are the origins whose pages may frame it.
 */
export function consolePolicy(embedders: readonly string[], mediaOrigin: string | null): string {
  const files = mediaOrigin === null ? "'self'" : `'self' ${mediaOrigin}`;
  return (
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src ${files} data: blob:; media-src ${files} blob:; ` +
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
    `frame-ancestors ${embedders.length === 0 ? "'none'" : embedders.join(' ')}`
  );
}
