import { say } from '../shell/say.tsx';
import { t } from './words/t.ts';

export const Copy = ({ text, label = t('Copy') }: { text: string; label?: string }) => {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      say(t('Copied'));
    } catch {
      say(t('Your browser does not allow copying here. Select the text and copy it yourself.'));
    }
  };
  return (
    <button type="button" class="plain" onClick={() => void copy()}>
      {label}
    </button>
  );
};

export const Code = ({ text, label, copy = false }: { text: string; label: string; copy?: boolean }) => (
  <div class="code">
    <pre class="scroll" role="region" aria-label={label} tabIndex={0}>
      {text}
    </pre>
    {copy && <Copy text={text} />}
  </div>
);
