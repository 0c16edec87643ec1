import { type ReactElement, type SubmitEvent, useId, useState } from 'react';

interface AddressFormProps {
  readonly label: string;
  readonly placeholder: string;
  readonly action: string;
  /** What is wrong with the address. */
  readonly problem: string | undefined;
  /** Adds an address. Returns whether it is fine: the field is then empty again. */
  readonly onAdd: (address: string) => boolean;
  readonly onChange: () => void;
}

/** A field for an address, and the button that adds it. */
export function AddressForm(props: AddressFormProps): ReactElement {
  const { label, placeholder, action, problem, onAdd, onChange } = props;
  const [url, setUrl] = useState('');
  const problemId = useId();

  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (onAdd(url.trim())) setUrl('');
  };

  return (
    <>
      <form className="add-row" onSubmit={onSubmit}>
        <label className="stacked grow">
          <span>{label}</span>
          <input
            type="text"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder}
            value={url}
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : problemId}
            onChange={(event) => {
              setUrl(event.target.value);
              onChange();
            }}
          />
        </label>
        <button type="submit" className="primary" disabled={url.trim() === ''}>
          {action}
        </button>
      </form>
      {problem !== undefined && (
        <p id={problemId} className="hint bad" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
