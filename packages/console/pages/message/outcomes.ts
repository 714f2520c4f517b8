import type { ResolveMessage } from '../../../typescript/src/index.ts';
import { t } from '../../parts/words/t.ts';

/** The outcomes of an uncertain message, each with its effect on the customer. */
export const OUTCOMES: readonly { value: ResolveMessage['outcome']; label: string; effect: string }[] = [
  { value: 'sent', label: t('The message arrived'), effect: t('The customer gets nothing more.') },
  {
    value: 'resend',
    label: t('It did not arrive: resend it'),
    effect: t('The customer gets it now, and twice if it had arrived.'),
  },
  { value: 'failed', label: t('It did not arrive: do not send it'), effect: t('The customer never gets it.') },
];
