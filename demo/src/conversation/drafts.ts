import { useState } from 'react';
import { encryption } from '../base/encryption.ts';

const prefix = 'brooklet-studio:draft:';

/** The drafts of this page, where nothing may be stored that is not encrypted. */
const unstored = new Map<string, string>();

function load(id: string): string {
  const stored = sessionStorage.getItem(prefix + id) ?? '';
  if (encryption === 'off') return stored;
  // Of the time before the encryption.
  if (stored !== '') save(id, stored);
  return unstored.get(id) ?? '';
}

function save(id: string, text: string): void {
  if (encryption !== 'off') {
    sessionStorage.removeItem(prefix + id);
    unstored.set(id, text);
    return;
  }
  try {
    if (text === '') sessionStorage.removeItem(prefix + id);
    else sessionStorage.setItem(prefix + id, text);
  } catch {
    // A draft that is too long for the browser's storage is lost with the page.
  }
}

/** The text in the message field, one draft per session; kept as long as the tab, also across reloads. */
export function useDraft(id: string): readonly [text: string, setText: (text: string) => void] {
  const [draft, setDraft] = useState({ id, text: load(id) });
  const current = draft.id === id ? draft : { id, text: load(id) };
  if (current !== draft) setDraft(current);
  return [
    current.text,
    (text) => {
      save(id, text);
      setDraft({ id, text });
    },
  ];
}
