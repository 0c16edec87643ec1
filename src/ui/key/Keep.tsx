import type { ReactElement } from 'react';
import { Segments } from '../base/Segments.tsx';
import type { KeyLabels } from '../labels/key-english.ts';

interface KeepProps {
  readonly keep: 'tab' | 'device';
  readonly onKeep: (keep: 'tab' | 'device') => void;
  readonly words: KeyLabels;
}

/** Where the key is kept, and what that means. */
export function Keep({ keep, onKeep, words }: KeepProps): ReactElement {
  return (
    <>
      <Segments
        legend={words.keep}
        options={[
          { value: 'tab', label: words.tab, title: words.tabNote },
          { value: 'device', label: words.device, title: words.deviceNote },
        ]}
        value={keep}
        onChange={onKeep}
      />
      <p className="bk-hint">{keep === 'tab' ? words.tabNote : words.deviceNote}</p>
    </>
  );
}
