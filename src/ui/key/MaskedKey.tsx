import { type ReactElement, useState } from 'react';
import { Glyph } from '../base/Glyph.tsx';
import type { KeyLabels } from '../labels/key-english.ts';
import type { ReadyKey } from './props.ts';

interface MaskedKeyProps {
  readonly shown: Pick<ReadyKey, 'keep' | 'lastFour'> & { readonly hasKey: boolean };
  readonly onChange: () => void;
  readonly onForget: () => void;
  readonly words: KeyLabels;
}

/** That there is a key, and where: never the key. */
export function MaskedKey({ shown, onChange, onForget, words }: MaskedKeyProps): ReactElement {
  const { keep, lastFour = '', hasKey } = shown;
  const [isForgetting, setIsForgetting] = useState(false);
  return (
    <>
      <p className="bk-key-masked">
        <Glyph name={keep === 'device' ? 'lock' : 'key'} />
        <span>{!hasKey ? words.noKey : keep === 'device' ? words.onDevice(lastFour) : words.inTab(lastFour)}</span>
      </p>
      {isForgetting && <p>{words.forgetText}</p>}
      <div className="bk-buttons">
        {isForgetting ? (
          <>
            <button key="confirm" type="button" className="bk-button" data-state="danger" onClick={onForget}>
              {words.forget}
            </button>
            <button
              key="cancel"
              type="button"
              className="bk-button"
              data-focus-home
              onClick={() => setIsForgetting(false)}
            >
              {words.cancel}
            </button>
          </>
        ) : (
          <>
            <button key="change" type="button" className="bk-button" onClick={onChange}>
              {words.change}
            </button>
            <button
              key="forget"
              type="button"
              className="bk-button"
              data-state="quiet"
              data-focus-home
              onClick={() => (hasKey ? setIsForgetting(true) : onForget())}
            >
              {words.forget}
            </button>
          </>
        )}
      </div>
    </>
  );
}
