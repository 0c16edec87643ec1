import { type ReactElement, useId } from 'react';
import type { Endpoint } from '../endpoint.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { useModelList } from './useModelList.ts';

interface ModelFieldProps {
  readonly value: string;
  /** Ids of the models that the package knows. */
  readonly known: readonly string[];
  readonly onChange: (model: string) => void;
  readonly endpoint: () => Endpoint;
  readonly typedKey: () => string;
}

/** A model by its id. The service's own list is offered on request. */
export function ModelField({ value, known, onChange, endpoint, typedKey }: ModelFieldProps): ReactElement {
  const { settings: words } = useAllTexts();
  const { list, read } = useModelList();
  const suggestions = useId();
  const models = list.is === 'read' ? list.models : known.map((id) => ({ id, name: undefined }));
  return (
    <>
      <label>
        <span>{words.modelName}</span>
        <input
          type="text"
          required
          spellCheck={false}
          autoCapitalize="off"
          list={suggestions}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
      <datalist id={suggestions}>
        {models.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
      <p className="hint beside">
        <button
          type="button"
          className="link"
          disabled={list.is === 'reading'}
          onClick={() => void read(endpoint(), typedKey())}
        >
          {list.is === 'reading' ? words.listing : words.listModels}
        </button>
        <output>
          {list.is === 'read' && words.listed(list.models.length)}
          {list.is === 'failed' && <span className="bad">{list.error.message}</span>}
        </output>
      </p>
    </>
  );
}
