import { useAgent } from 'brooklet/react';
import { useSessions } from 'brooklet/react/lists';
import { isComposing } from 'brooklet/ui';
import { type ReactElement, useDeferredValue, useId, useLayoutEffect, useRef, useState } from 'react';
import { Lists } from '../base/Lists.tsx';
import { goTo } from '../base/route.ts';
import { notArchived } from '../model/metadata.ts';
import type { ShellActions } from '../base/shortcuts.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { commandsOf, filterCommands } from './commands.ts';
import { KeyCaps } from './KeyCaps.tsx';
import { type Entry, PaletteGroup } from './PaletteGroup.tsx';
import '../styles/palette.css';

interface PaletteProps extends ShellActions {
  readonly onClose: () => void;
}

/** Conversations in the palette. */
const most = 8;

/** Finds commands and conversations by typing. Arrow keys move, Enter chooses, Escape closes. */
export function Palette(props: PaletteProps): ReactElement {
  return (
    <Lists>
      <PaletteDialog {...props} />
    </Lists>
  );
}

function PaletteDialog({ onClose, ...actions }: PaletteProps): ReactElement {
  const texts = useAllTexts();
  const { palette: words, help } = texts;
  const agent = useAgent();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const searched = useDeferredValue(text.trim());
  const { sessions } = useSessions({ search: searched, limit: most, ...(searched === '' && { where: notArchived }) });

  const commands = commandsOf({ agent, texts, ...actions });
  const found: readonly Entry[] = filterCommands(commands, text);
  const conversations: readonly Entry[] = sessions.map(({ id, title }) => ({
    id: `session-${id}`,
    label: title || texts.common.untitled,
    icon: 'file',
    run: () => goTo(id),
  }));
  // Without a search the latest conversations are the likeliest.
  const groups =
    text === ''
      ? [
          { label: words.recent, entries: conversations.slice(0, 4) },
          { label: words.commands, entries: found },
        ]
      : [
          { label: words.commands, entries: found },
          { label: words.conversations, entries: conversations },
        ];
  const entries = groups.flatMap((group) => group.entries);
  const current = Math.min(active, entries.length - 1);

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  const choose = (entry: Entry | undefined): void => {
    if (!entry) return;
    // Closed first: the command may open a dialog of its own, and may move the focus.
    onClose();
    entry.run();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Escape is the key
    <dialog
      ref={dialog}
      aria-label={words.title}
      className="modal palette"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label={words.field}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={entries[current] && `${id}-${entries[current].id}`}
          aria-autocomplete="list"
          placeholder={words.field}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          onKeyDown={(event) => {
            if (isComposing(event.nativeEvent)) return;
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step !== undefined) {
              event.preventDefault();
              setActive((current + step + entries.length) % Math.max(1, entries.length));
            } else if (event.key === 'Enter') {
              event.preventDefault();
              choose(entries[current]);
            }
          }}
        />
      </div>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={words.results} className="palette-list">
        {groups.map(({ label, entries: group }) => (
          <PaletteGroup
            key={label}
            id={id}
            label={label}
            entries={group}
            active={entries[current]}
            onActive={(entry) => setActive(entries.indexOf(entry))}
            onChoose={choose}
          />
        ))}
      </div>
      {entries.length === 0 && <p className="hint palette-nothing">{words.nothing}</p>}
      <output className="visually-hidden">{entries.length === 0 && words.nothing}</output>
      <footer className="palette-foot" aria-hidden="true">
        <KeyCaps keys={{ key: 'ArrowUp' }} />
        <KeyCaps keys={{ key: 'ArrowDown' }} />
        <span>{words.hint}</span>
        <KeyCaps keys={{ key: 'Enter' }} />
        <span>{words.open}</span>
        <KeyCaps keys={{ key: 'Escape' }} />
        <span>{help.leave}</span>
      </footer>
    </dialog>
  );
}
