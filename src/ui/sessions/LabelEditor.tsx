import { type KeyboardEvent, type ReactElement, useId, useState } from 'react';
import type { SessionSummary } from '../../index.ts';
import { focusNow } from '../base/focus.ts';
import { Glyph } from '../base/Glyph.tsx';
import { isComposing } from '../base/isComposing.ts';
import { usePopover } from '../base/usePopover.ts';
import type { SessionsLabels } from '../labels/sessions-english.ts';
import { labelsOf, maxLabel, maxLabels, sortLabels, toLabel } from './labelsOf.ts';
import type { LabelChange } from './useChanges.ts';

interface LabelEditorProps {
  readonly sessions: readonly SessionSummary[];
  /** Labels that are offered. */
  readonly known: readonly string[];
  readonly opener: HTMLElement;
  readonly onChange: (changes: readonly LabelChange[], label: string, isAdded: boolean) => void;
  /** @param byKey whether the focus returns to the list */
  readonly onClose: (byKey: boolean) => void;
  readonly words: SessionsLabels;
}

/** Adds and removes labels of sessions: a field that finds or adds one, and a box for each. Every press is stored at once. */
export function LabelEditor(props: LabelEditorProps): ReactElement {
  const { sessions, known, opener, onChange, onClose, words } = props;
  const popover = usePopover(opener, () => onClose(false));
  const id = useId();
  const [text, setText] = useState('');
  const [isFull, setIsFull] = useState(false);
  // The list is read again after a change, and the sessions may have left it: what they have is noted here.
  const [own, setOwn] = useState(() => new Map(sessions.map((session) => [session.id, labelsOf(session)])));

  const [first] = sessions;
  const title = sessions.length === 1 && first ? words.labelsOf(first.title || words.untitled) : undefined;
  const name = title ?? words.labelsOfMany(sessions.length);
  const typed = toLabel(text);
  const all = sortLabels(new Set([...known, ...[...own.values()].flat()]));
  const shown = all.filter((label) => label.toLocaleLowerCase().includes(typed.toLocaleLowerCase()));
  const same = all.find((label) => label.toLocaleLowerCase() === typed.toLocaleLowerCase());
  const countOf = (label: string): number => [...own.values()].filter((labels) => labels.includes(label)).length;

  const toggle = (label: string, isAdded: boolean): void => {
    const fits = ([, labels]: readonly [string, readonly string[]]): boolean => !isAdded || labels.length < maxLabels;
    const meant = [...own].filter(([, labels]) => labels.includes(label) !== isAdded);
    const changes = meant.filter(fits).map(([sessionId, before]) => ({
      sessionId,
      before,
      after: isAdded ? [...before, label] : before.filter((one) => one !== label),
    }));
    setIsFull(changes.length < meant.length);
    setOwn((now) => new Map([...now, ...changes.map(({ sessionId, after }) => [sessionId, after] as const)]));
    if (changes.length > 0) onChange(changes, label, isAdded);
    if (isAdded) setText('');
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    // No key is for the list around it.
    event.stopPropagation();
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      onClose(true);
    }
    if (event.key === 'Enter' && typed !== '' && event.target instanceof HTMLInputElement && event.target.id === id) {
      event.preventDefault();
      toggle(same ?? typed, true);
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const stops = [...(popover.current?.querySelectorAll<HTMLElement>('input') ?? [])];
    const at = stops.findIndex((stop) => stop.matches(':focus'));
    stops[(at + (event.key === 'ArrowDown' ? 1 : -1) + stops.length) % stops.length]?.focus();
  };

  return (
    <div
      ref={popover}
      role="dialog"
      tabIndex={-1}
      aria-label={name}
      className="bk-popover bk-label-editor"
      onKeyDown={onKeyDown}
    >
      <input
        id={id}
        ref={focusNow}
        className="bk-label-field"
        aria-label={words.labelField}
        placeholder={words.labelField}
        aria-describedby={isFull ? `${id}-problem` : undefined}
        autoComplete="off"
        spellCheck={false}
        dir={text === '' ? undefined : 'auto'}
        maxLength={maxLabel}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p id={`${id}-problem`} className={isFull ? 'bk-bad' : undefined} role="alert">
        {isFull && words.tooManyLabels(maxLabels)}
      </p>
      {shown.map((label) => {
        const count = countOf(label);
        return (
          <label key={label} className="bk-label-line">
            <input
              type="checkbox"
              checked={count === sessions.length}
              ref={(box) => {
                if (box) box.indeterminate = count > 0 && count < sessions.length;
              }}
              onChange={() => toggle(label, count < sessions.length)}
            />
            <bdi>{label}</bdi>
          </label>
        );
      })}
      {typed !== '' && same === undefined && (
        <button type="button" className="bk-menu-line" onClick={() => toggle(typed, true)}>
          <Glyph name="label" />
          <span>{words.addLabel(typed)}</span>
        </button>
      )}
      {all.length === 0 && typed === '' && <p className="bk-hint">{words.noLabels}</p>}
      <button type="button" className="bk-button" data-state="quiet" onClick={() => onClose(true)}>
        {words.done}
      </button>
    </div>
  );
}
