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

/** The hosts that a policy can name: a name, or this machine's address. Browsers match no other address. */
const NAMEABLE = /^(?:127\.0\.0\.1|(?!\d+\.\d+\.\d+\.\d+(?::|$))[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::\d{1,5})?$/i;

/**
 * The sources of scripts: the console's own path at the host that the browser asked, and at that of PUBLIC_URL, which
 * a proxy may have replaced. A file at another path of the origin then never runs. A host that no policy can name
 * leaves the whole origin.
 */
export function assetSources(askedHost: string, publicUrl: string, root: string): string {
  const hosts = new Set([askedHost, new URL(publicUrl).host].map((host) => (NAMEABLE.test(host) ? host : null)));
  return [...hosts].map((host) => (host === null ? "'self'" : `${host}${root}/assets/`)).join(' ');
}

interface PolicyParts {
  /** The origins whose pages may frame the console. */
  embedders: readonly string[];
  /** The origin of files where it is not the console's own. */
  mediaOrigin: string | null;
  /** The sources of scripts and styles. */
  assets: string;
}

/** Nothing inline and nothing from elsewhere, but files where `MEDIA_PUBLIC_URL` says that the engine gives them. */
export function consolePolicy({ embedders, mediaOrigin, assets }: PolicyParts): string {
  const files = mediaOrigin === null ? "'self'" : `'self' ${mediaOrigin}`;
  return (
    `default-src 'none'; script-src ${assets}; style-src ${assets}; img-src ${files} data: blob:; ` +
    `media-src ${files} blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; ` +
    `frame-ancestors ${embedders.length === 0 ? "'none'" : embedders.join(' ')}`
  );
}
