import { escaped } from '../../docs/page.ts';

/** The session's state on the page of an opened link. */
export type PageState = 'scan' | 'wait' | 'connected';

/** Addresses of the pages: `root` holds the shared files, `page` is the link's own address. */
interface Place {
  root: string;
  page: string;
}

/**
 * The one page for a link that is forged, expired, used, or of a session that is gone, so that nobody learns which it
 * was.
 */
export function noPage(root: string): string {
  return htmlOf(
    root,
    `<main data-state="none"><section class="none"><h1>This link does not work</h1>
<p>Ask the person who sent it for a new one.</p></section></main>`,
  );
}

/**
 * Asks for a click before the link is bound to the browser: programs that look at links in mails and chats open them,
 * and do not click.
 */
export function startPage({ root, page }: Place): string {
  return htmlOf(
    root,
    `<main data-state="start"><section class="start"><h1>Connect your account</h1>
<p>Have the phone with the account at hand. The code works only in this browser.</p>
<form method="post" action="${escaped(page)}"><button>Show the code</button></form></section></main>`,
  );
}

interface Shown extends Place {
  state: PageState;
  /** A pairing code that was asked for, or why there is none. */
  paired?: { code: string } | { problem: string };
}

/** Shows the code, and follows the session by its script; without scripts the page loads itself anew. */
export function connectPage({ root, page, state, paired }: Shown): string {
  const at = escaped(page);
  const code = paired !== undefined && 'code' in paired ? paired.code : undefined;
  const problem = paired !== undefined && 'problem' in paired ? paired.problem : undefined;
  // The answer to a form is not loaded anew, because that would send the form again.
  const reloads = paired === undefined && state !== 'connected';
  return htmlOf(
    root,
    `<main data-state="${state}" data-page="${at}"${code === undefined ? '' : ' data-typed'}>
<section class="scan"><h1>Scan this code</h1>
<img${state === 'scan' ? ` src="${at}/code.png"` : ''} alt="The QR code" width="276" height="276">
<ol><li>Open the messaging app on the phone.</li><li>Tap <b>Linked devices</b> in its settings, then <b>Link a device</b>.</li>
<li>Point the phone at this code.</li></ol>
${problem === undefined ? '' : `<p class="problem">${escaped(problem)}</p>`}
<details${problem === undefined ? '' : ' open'}><summary>Are you reading this on that phone?</summary>
<form method="post" action="${at}/code"><label>Its number, with the country code
<input type="tel" name="phone" autocomplete="tel" placeholder="+55 11 91234 5678" maxlength="40" required></label>
<button>Get a code to type</button></form></details></section>
<section class="typed"><h1>Type this code</h1>${code === undefined ? '' : `<p class="code">${escaped(code)}</p>`}
<ol><li>Tap <b>Linked devices</b> in the settings of the messaging app, then <b>Link a device</b>.</li>
<li>Tap <b>Link with phone number instead</b> and type the code.</li></ol></section>
<section class="wait"><h1>One moment</h1><p>The code is being prepared. This page continues automatically.</p></section>
<section class="connected"><h1>Connected</h1><p>The account is connected. You can close this page.</p></section></main>`,
    `${reloads ? '<noscript><meta http-equiv="refresh" content="5"></noscript>' : ''}<script src="${root}/page.js" defer></script>`,
  );
}

function htmlOf(root: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>Connect an account</title><link rel="stylesheet" href="${root}/page.css">${head}</head>
<body>${body}</body></html>
`;
}
