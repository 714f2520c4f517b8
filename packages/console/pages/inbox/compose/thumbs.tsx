import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../../../parts/icon.tsx';
import { Bytes } from '../../../parts/numbers.tsx';
import type { Draft, File, Picked } from '../draft.ts';
import { t } from '../../../parts/words/t.ts';

/** The picture of a file of the device. The browser frees it when the file is gone. */
const Thumb = ({ picked }: { picked: Picked }) => {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(picked);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [picked]);
  return address === undefined ? null : <img src={address} alt={picked.name} title={picked.name} />;
};

const Shown = ({ file: { kind, picked, url } }: { file: File }) => {
  if (picked === undefined) return <span class="small cut">{url}</span>;
  if (kind === 'image') return <Thumb picked={picked} />;
  return (
    <span class="small">
      <span class="cut" dir="auto">
        {picked.name}
      </span>
      <Bytes n={picked.size} />
    </span>
  );
};

/** The files of a draft, above its text. */
export const Thumbs = ({ draft: { files }, change }: { draft: Draft; change: (part: Partial<Draft>) => void }) => {
  const given = files.filter(({ picked, url }) => picked !== undefined || url.trim() !== '');
  if (given.length === 0) return null;
  return (
    <ul class="thumbs" aria-label={t('Files to send')}>
      {given.map((file, place) => (
        <li key={place}>
          <Shown file={file} />
          <button
            type="button"
            class="plain"
            aria-label={t('Remove file {0} from the message', place + 1)}
            onClick={() => change({ files: files.filter((one) => one !== file) })}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
};
