import type { SessionSummary } from '../../index.ts';
import type { GlyphName } from '../base/Glyph.tsx';
import type { MenuLine } from '../base/Menu.tsx';
import type { SessionsLabels } from '../labels/sessions-english.ts';
import { isArchived, isPinned } from './groups.ts';
import type { SessionAction, SessionListSource } from './props.ts';

/** What the list itself can do. A function that is missing is not offered. */
export interface ListVerbs extends Pick<SessionListSource, 'setMetadata'> {
  readonly rename: ((session: SessionSummary) => void) | undefined;
  readonly select: (session: SessionSummary) => void;
  readonly isSelected: (session: SessionSummary) => boolean;
  readonly remove: ((sessions: readonly SessionSummary[]) => void) | undefined;
}

/** Returns what is offered for these sessions. Pin and archive apply to all of them: they are undone only where all have them. */
export function usualActions(
  sessions: readonly SessionSummary[],
  { setMetadata, rename, select, isSelected, remove }: ListVerbs,
  words: SessionsLabels,
): readonly SessionAction[] {
  const [first, ...others] = sessions;
  if (!first) return [];
  const one = others.length === 0 ? first : undefined;
  const set = (field: 'pinned' | 'archived', isOn: boolean): void => {
    for (const { id } of sessions) void setMetadata?.(id, { [field]: isOn ? true : null });
  };
  const arePinned = sessions.every(isPinned);
  const areArchived = sessions.every(isArchived);
  return [
    ...(setMetadata
      ? [
          {
            name: arePinned ? 'unpin' : 'pin',
            label: arePinned ? words.unpin : words.pin,
            onSelect: () => set('pinned', !arePinned),
          },
        ]
      : []),
    ...(rename && one ? [{ name: 'rename', label: words.rename, onSelect: () => rename(one) }] : []),
    ...(one
      ? [{ name: 'select', label: isSelected(one) ? words.deselect : words.selectOne, onSelect: () => select(one) }]
      : []),
    ...(setMetadata
      ? [
          {
            name: areArchived ? 'unarchive' : 'archive',
            label: areArchived ? words.unarchive : words.archive,
            onSelect: () => set('archived', !areArchived),
          },
        ]
      : []),
    ...(remove ? [{ name: 'remove', label: words.remove, isDangerous: true, onSelect: () => remove(sessions) }] : []),
  ];
}

const icons: Readonly<Record<string, GlyphName>> = {
  pin: 'pin',
  unpin: 'pin',
  rename: 'edit',
  select: 'check',
  archive: 'archive',
  unarchive: 'archive',
  remove: 'trash',
};

export const toLine = (action: SessionAction): MenuLine => ({
  ...action,
  ...(Object.hasOwn(icons, action.name) && { icon: icons[action.name] }),
});
