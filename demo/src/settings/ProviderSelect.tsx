import type { ReactElement } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { choices, custom } from '../model/providers.ts';

/** Used in place of a provider's id. */
export const browserId = 'browser';

interface ProviderSelectProps {
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** Chooses a provider of the package, any other address, or the browser's model. */
export function ProviderSelect({ value, onChange }: ProviderSelectProps): ReactElement {
  const { settings: words } = useAllTexts();
  const optionsOf = (place: 'cloud' | 'local'): readonly ReactElement[] =>
    choices
      .filter((choice) => choice.place === place)
      .map(({ id, provider }) => (
        <option key={id} value={id}>
          {provider.name}
        </option>
      ));
  return (
    <label>
      <span>{words.provider}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        <optgroup label={words.cloud}>{optionsOf('cloud')}</optgroup>
        <optgroup label={words.local}>
          {optionsOf('local')}
          <option value={browserId}>{words.browserModel}</option>
        </optgroup>
        <optgroup label={words.other}>
          <option value={custom.id}>{words.custom}</option>
        </optgroup>
      </select>
    </label>
  );
}
