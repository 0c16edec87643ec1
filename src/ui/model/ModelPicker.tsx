import { type ReactElement, useCallback, useId, useState } from 'react';
import { findModel } from '../../llm/providers/index.ts';
import { Glyph } from '../base/Glyph.tsx';
import { part } from '../base/part.ts';
import { useListLabels } from '../labels/LabelsContext.ts';
import { modelEnglish } from '../labels/model-english.ts';
import { ModelSearch } from './ModelSearch.tsx';
import type { ModelPickerProps } from './props.ts';
import type { ReadList } from './useModels.ts';

/**
 * Chooses a model of a service: a button with the present one, and a list with a search field, recent models first, with context window and
 * price. A name that is not listed can be typed, also while the list cannot be read. On a narrow screen the list is a sheet.
 *
 *     <ModelPicker provider={openai} request={{ apiKey }} value={model} onChange={setModel} />
 */
export function ModelPicker(props: ModelPickerProps): ReactElement {
  const { provider, value, onChange, models, children, isDisabled = false, labels, className } = props;
  const words = useListLabels('model', modelEnglish, labels);
  const [opener, setOpener] = useState<HTMLElement>();
  const [read, setRead] = useState<ReadList>();
  const id = useId();
  const leave = useCallback(() => setOpener(undefined), []);
  const close = (): void => {
    leave();
    opener?.focus();
  };
  const listed = typeof models === 'function' ? read?.models : (models ?? read?.models);
  const name = (listed?.find((one) => one.id === value) ?? findModel(provider.models, value))?.name ?? value;
  const label = value === '' && children === undefined ? words.none : words.button(name);
  const isOpen = opener !== undefined && !isDisabled;
  return (
    <span {...part('model-picker', className, isOpen ? 'open' : 'closed')}>
      <button
        type="button"
        className="bk-button"
        data-state="quiet"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={label}
        title={children === undefined ? value || undefined : label}
        disabled={isDisabled}
        onClick={({ currentTarget }) => setOpener(opener ? undefined : currentTarget)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || opener) return;
          event.preventDefault();
          setOpener(event.currentTarget);
        }}
      >
        {children ?? (
          <>
            <bdi>{value === '' ? words.none : name}</bdi>
            <Glyph name="expand" />
          </>
        )}
      </button>
      {isOpen && (
        <ModelSearch
          {...props}
          id={id}
          opener={opener}
          read={read}
          onRead={setRead}
          onChoose={(id, model) => {
            close();
            onChange(id, model);
          }}
          onClose={close}
          onLeave={leave}
          words={words}
        />
      )}
    </span>
  );
}
