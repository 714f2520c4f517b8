import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { NameForm } from '../parts/name-form.tsx';
import { who } from './engine.ts';
import { me } from './me.ts';
import { t } from '../parts/words/t.ts';

/** Shows the name under which this person acts, and changes it. A link fixes the name. */
export const MyName = () => {
  const [isOpen, setOpen] = useState(false);
  if (who.value?.link) return <span class="cut">{who.value.link.name}</span>;
  return (
    <>
      <button type="button" class="plain cut" title={t('Your name')} onClick={() => setOpen(true)}>
        {me.value === '' ? t('Set your name') : me.value}
      </button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={t('Your name')}>
        <NameForm done={() => setOpen(false)} />
      </Dialog>
    </>
  );
};
