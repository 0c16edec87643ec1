import type { ReactElement } from 'react';
import { GateScreen } from './GateScreen.tsx';

interface GateNoticeProps {
  readonly title: string;
  readonly text: string;
  /** Whether the text is an error. */
  readonly isError?: boolean;
  /** The one verb: its label, and what it does. */
  readonly verb: string;
  readonly onVerb: () => void;
}

/** Says why the conversations cannot be shown yet, with one verb. */
export function GateNotice({ title, text, isError = false, verb, onVerb }: GateNoticeProps): ReactElement {
  return (
    <GateScreen title={title}>
      <p className={isError ? 'hint bad' : 'hint'} role="alert">
        {text}
      </p>
      <div className="notice-verbs">
        <button type="button" className="primary" onClick={onVerb}>
          {verb}
        </button>
      </div>
    </GateScreen>
  );
}
