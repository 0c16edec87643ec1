import type { ReactElement } from 'react';
import type { Model } from '../../llm/providers/index.ts';
import { Glyph } from '../base/Glyph.tsx';
import type { ModelLabels } from '../labels/model-english.ts';

interface ModelOptionProps {
  readonly id: string;
  readonly model: Model;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly words: ModelLabels;
}

/** A model: its name, its context window and its price, as far as they are known. */
export function ModelOption({ id, model, isActive, isChosen, onChoose, words }: ModelOptionProps): ReactElement {
  const { contextWindow, price } = model;
  const name = model.name ?? model.id;
  const isFree = price?.input === 0 && price.output === 0;
  return (
    <button
      type="button"
      id={id}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      className="bk-option"
      data-active={isActive ? '' : undefined}
      title={model.id}
      onClick={onChoose}
    >
      <bdi>{name}</bdi>
      {isChosen && <Glyph name="check" />}
      <small>
        {contextWindow !== undefined && (
          <span title={words.windowTitle(contextWindow)}>{words.window(contextWindow)}</span>
        )}
        {price && (
          <span title={words.priceTitle(price.input, price.output)}>
            {isFree ? words.free : words.price(price.input, price.output)}
          </span>
        )}
      </small>
    </button>
  );
}
