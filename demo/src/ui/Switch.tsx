import { type ReactElement, useId } from 'react';
import '../styles/switch.css';

interface SwitchProps {
  readonly label: string;
  readonly hint?: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** A setting that is on or off, and takes effect at once. */
export function Switch({ label, hint, isOn, onChange }: SwitchProps): ReactElement {
  const hintId = useId();
  return (
    <div className="switch-row">
      <label>
        <input
          type="checkbox"
          checked={isOn}
          aria-describedby={hint === undefined ? undefined : hintId}
          onChange={({ target }) => onChange(target.checked)}
        />
        <span>{label}</span>
      </label>
      {hint !== undefined && (
        <p id={hintId} className="hint">
          {hint}
        </p>
      )}
    </div>
  );
}
