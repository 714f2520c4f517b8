import { ATTACKS, MARK } from '../../../test/ai-corpus/attacks.ts';

/** A script that a page must never run: each would change the title, which the test reads on every page. */
const RUN = `document.title='${MARK}'`;

/** Texts that are markup to whoever forgets that they are words. */
export const MARKUP: readonly string[] = [
  `<img src=x onerror="${RUN}">`,
  `<script>${RUN}</script>`,
  `"><svg onload="${RUN}">`,
  `'-${RUN}-'`,
  `<a href="javascript:${RUN}">${MARK}</a>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<style>body{display:none}</style><base href="//evil.example/">`,
  `</textarea></title></pre><form action=//evil.example><button id=console>`,
  `\${${RUN}} {{constructor.constructor("${RUN}")()}}`,
];

/** One for names, which are short. */
export const NAME = `<img src=x onerror="${RUN}">`;
export const FILE_NAME = `"><img src=x onerror="${RUN}">.pdf`;
/** Without spaces, as wide as nothing fits. */
const WIDE = `wide${'W'.repeat(180)}`;
/** From right to left, with a mark that turns what follows around. */
const TURNED = 'مرحبا \u202E<b>gnorw</b>';

/** All that a customer writes who means harm. */
export const MESSAGES: readonly string[] = [...MARKUP, WIDE, TURNED, ...ATTACKS.map(({ text }) => text)];
