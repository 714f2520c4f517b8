import type { ResolveMessage } from '../../../typescript/src/index.ts';

/** The outcomes of an uncertain message, each with its effect on the customer. */
export const OUTCOMES: readonly { value: ResolveMessage['outcome']; label: string; effect: string }[] = [
  { value: 'sent', label: 'The message arrived', effect: 'The customer gets nothing more.' },
  {
    value: 'resend',
    label: 'It did not arrive: resend it',
    effect: 'The customer gets it now, and twice if it had arrived.',
  },
  { value: 'failed', label: 'It did not arrive: do not send it', effect: 'The customer never gets it.' },
];
