import { type KeyboardEvent, type ReactElement, useId, useState } from 'react';
import type { Model } from '../../llm/providers/index.ts';
import { CloseButton } from '../base/CloseButton.tsx';
import { Glyph } from '../base/Glyph.tsx';
import { isComposing } from '../base/isComposing.ts';
import { usePageEffect } from '../base/usePageEffect.ts';
import { usePopover } from '../base/usePopover.ts';
import type { ModelLabels } from '../labels/model-english.ts';
import { toChoices } from './choices.ts';
import { ListNotes } from './ListNotes.tsx';
import { ModelOption } from './ModelOption.tsx';
import type { ModelPickerProps } from './props.ts';
import { type ReadList, useModels } from './useModels.ts';

interface ModelSearchProps extends Pick<ModelPickerProps, 'provider' | 'value' | 'recent' | 'models' | 'request'> {
  readonly id: string;
  readonly opener: HTMLElement;
  readonly read: ReadList | undefined;
  readonly onRead: (list: ReadList) => void;
  readonly onChoose: (id: string, model: Model | undefined) => void;
  /** Closes and returns the focus. */
  readonly onClose: () => void;
  /** Closes; the focus is elsewhere. */
  readonly onLeave: () => void;
  readonly words: ModelLabels;
}

const none: readonly string[] = [];

/** The open list: a combobox as the ARIA Authoring Practices describe it. The focus stays in the field; arrow keys move the active option. */
export function ModelSearch(props: ModelSearchProps): ReactElement {
  const { id, opener, provider, value, recent = none, read, onRead, onChoose, onClose, onLeave, words } = props;
  const popover = usePopover(opener, onLeave);
  const list = useModels(props, read, onRead);
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const base = useId();
  const { recent: recentModels, others, leftOut, typed } = toChoices(list.models, { query, recent, value });
  const listed = [...recentModels, ...others];
  const count = listed.length + (typed === undefined ? 0 : 1);
  const at = Math.min(active, count - 1);
  const optionId = (index: number): string => `${base}-${index}`;

  usePageEffect(() => popover.current?.querySelector('input')?.focus(), [popover]);
  usePageEffect(() => {
    popover.current?.querySelector('[data-active]')?.scrollIntoView?.({ block: 'nearest' });
  }, [popover, at, query]);

  const choose = (index: number): void => {
    const model = listed[index];
    if (model) onChoose(model.id, list.models.find((one) => one.id === model.id) ?? model);
    else if (typed !== undefined) onChoose(typed, undefined);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return;
    const isEscape = event.key === 'Escape';
    if (isEscape || event.key === 'Tab') {
      // Tab stops at what else is in the popover: the buttons of a list that could not be read, and the one that closes it.
      if (!isEscape && popover.current?.querySelectorAll('button:not([role=option])').length !== 0) return;
      event.preventDefault();
      event.stopPropagation();
      onClose();
      return;
    }
    const isInField = event.target instanceof HTMLInputElement;
    const to = isInField ? targetOf(event.key, at, count) : undefined;
    if (to !== undefined) setActive(to);
    else if (isInField && event.key === 'Enter') choose(at);
    else return;
    event.preventDefault();
  };

  const toOption = (model: Model, index: number): ReactElement => (
    <ModelOption
      key={model.id}
      id={optionId(index)}
      model={model}
      isActive={index === at}
      isChosen={model.id === value}
      onChoose={() => choose(index)}
      words={words}
    />
  );
  return (
    <div
      ref={popover}
      id={id}
      role="dialog"
      aria-label={words.title(provider.name)}
      className="bk-popover bk-models"
      onKeyDown={onKeyDown}
    >
      <div className="bk-search">
        <Glyph name="search" />
        <input
          type="text"
          role="combobox"
          aria-label={words.search}
          aria-expanded={count > 0}
          aria-controls={`${base}-list`}
          aria-autocomplete="list"
          aria-activedescendant={count > 0 ? optionId(at) : undefined}
          placeholder={words.search}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          dir={query === '' ? undefined : 'auto'}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setActive(0);
          }}
        />
        <CloseButton label={words.close} onClick={onClose} />
      </div>
      <ListNotes list={list} isEmpty={listed.length === 0} isSearching={typed !== undefined} words={words} />
      <div id={`${base}-list`} role="listbox" aria-label={words.title(provider.name)} className="bk-options">
        {recentModels.length > 0 && (
          <div role="group" aria-label={words.recent}>
            <div className="bk-options-heading" aria-hidden="true">
              {words.recent}
            </div>
            {recentModels.map(toOption)}
          </div>
        )}
        {others.length > 0 && (
          <div role="group" aria-label={words.all}>
            <div className="bk-options-heading" aria-hidden="true">
              {words.all}
            </div>
            {others.map((model, index) => toOption(model, recentModels.length + index))}
          </div>
        )}
        {typed !== undefined && (
          <button
            type="button"
            id={optionId(listed.length)}
            role="option"
            aria-selected={false}
            tabIndex={-1}
            className="bk-option"
            data-active={at === listed.length ? '' : undefined}
            onClick={() => choose(listed.length)}
          >
            <bdi>{words.use(typed)}</bdi>
          </button>
        )}
      </div>
      {leftOut > 0 && <p className="bk-hint">{words.more(leftOut)}</p>}
    </div>
  );
}

/** Options of Page Up and Page Down. */
const page = 8;

/** Returns the option that a key moves to; `undefined` for a key that edits the text. */
function targetOf(key: string, from: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (from + 1) % count;
  if (key === 'ArrowUp') return (from - 1 + count) % count;
  if (key === 'PageDown') return Math.min(count - 1, from + page);
  return key === 'PageUp' ? Math.max(0, from - page) : undefined;
}
