import { type ReactElement, type ReactNode, useId, useState } from 'react';
import { Glyph } from '../base/Glyph.tsx';
import type { KeyLabels } from '../labels/key-english.ts';
import { ProblemText } from './ProblemText.tsx';
import type { KeyFieldProps, ReadyKey } from './props.ts';
import { useKeyTest } from './useKeyTest.ts';

interface MaskedKeyProps extends Pick<KeyFieldProps, 'test' | 'request'> {
  readonly shown: ReadyKey;
  readonly onChange: () => void;
  readonly onForget: () => void;
  /** Without it there is no button to use the key. */
  readonly onUse: ((isTested: boolean) => void) | undefined;
  /** Shown above the buttons. */
  readonly fields: ReactNode;
  readonly words: KeyLabels;
}

/** That there is a key, and where: never the key. */
export function MaskedKey(props: MaskedKeyProps): ReactElement {
  const { shown, onChange, onForget, onUse, fields, test = false, request, words } = props;
  const { provider, baseURL, apiKey, keep, lastFour = '' } = shown;
  const hasKey = apiKey !== undefined;
  const [isForgetting, setIsForgetting] = useState(false);
  const { isTesting, problem, run, stop } = useKeyTest({ provider, baseURL, test, request, words });
  const problemId = useId();
  const use = async (): Promise<void> => {
    if (isTesting) return;
    if (test === false || (await run(apiKey)) === 'passed') onUse?.(test !== false);
  };
  if (isForgetting)
    return (
      <>
        <Shown keep={keep} lastFour={lastFour} hasKey={hasKey} words={words} />
        <p>{words.forgetText}</p>
        <div className="bk-buttons">
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
        </div>
      </>
    );
  return (
    <>
      <Shown keep={keep} lastFour={lastFour} hasKey={hasKey} words={words} />
      {fields}
      <ProblemText id={problemId} problem={problem} />
      <div className="bk-buttons">
        {onUse && (
          <button
            key="use"
            type="button"
            className="bk-button"
            data-state="primary"
            aria-disabled={isTesting}
            aria-describedby={problem && problemId}
            onClick={() => void use()}
          >
            {isTesting ? words.testing : test === false ? words.use : words.testAndUse}
          </button>
        )}
        {isTesting && (
          <button key="stop" type="button" className="bk-button" onClick={stop}>
            {words.cancel}
          </button>
        )}
        {problem?.mayUse && !isTesting && (
          <button key="anyway" type="button" className="bk-button" onClick={() => onUse?.(false)}>
            {words.useAnyway}
          </button>
        )}
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
      </div>
    </>
  );
}

interface ShownProps extends Pick<ReadyKey, 'keep'> {
  readonly lastFour: string;
  readonly hasKey: boolean;
  readonly words: KeyLabels;
}

function Shown({ keep, lastFour, hasKey, words }: ShownProps): ReactElement {
  return (
    <p className="bk-key-masked">
      <Glyph name={keep === 'device' ? 'lock' : 'key'} />
      <span>{!hasKey ? words.noKey : keep === 'device' ? words.onDevice(lastFour) : words.inTab(lastFour)}</span>
    </p>
  );
}
