import type { SessionSummary } from '../../index.ts';
import { Glyph, type GlyphName } from '../base/Glyph.tsx';
import type { MenuLine } from '../base/Menu.tsx';
import type { SessionsLabels } from '../labels/sessions-english.ts';
import { isArchived, isPinned } from './groups.ts';
import type { SessionAction, SessionListSource } from './props.ts';

/** What the list itself can do. A function that is missing is not offered. */
export interface ListVerbs extends Pick<SessionListSource, 'setMetadata'> {
  readonly rename: ((session: SessionSummary) => void) | undefined;
  readonly select: (session: SessionSummary) => void;
  readonly isSelected: (session: SessionSummary) => boolean;
  readonly setLabels: (sessions: readonly SessionSummary[]) => void;
  readonly archive: (sessions: readonly SessionSummary[], isArchived: boolean) => void;
  readonly remove: ((sessions: readonly SessionSummary[]) => void) | undefined;
}

/** Returns what is offered for these sessions. Pin and archive apply to all of them: they are undone only where all have them. */
export function usualActions(
  sessions: readonly SessionSummary[],
  { setMetadata, rename, select, isSelected, setLabels, archive, remove }: ListVerbs,
  words: SessionsLabels,
): readonly SessionAction[] {
  const [first, ...others] = sessions;
  if (!first) return [];
  const one = others.length === 0 ? first : undefined;
  const arePinned = sessions.every(isPinned);
  const areArchived = sessions.every(isArchived);
  const pin = (): void => {
    for (const { id } of sessions) void setMetadata?.(id, { pinned: arePinned ? null : true });
  };
  return [
    ...(setMetadata
      ? [{ name: arePinned ? 'unpin' : 'pin', label: arePinned ? words.unpin : words.pin, onSelect: pin }]
      : []),
    ...(rename && one ? [{ name: 'rename', label: words.rename, onSelect: () => rename(one) }] : []),
    ...(one
      ? [{ name: 'select', label: isSelected(one) ? words.deselect : words.selectOne, onSelect: () => select(one) }]
      : []),
    ...(setMetadata
      ? [
          { name: 'label', label: words.setLabels, onSelect: () => setLabels(sessions) },
          {
            name: areArchived ? 'unarchive' : 'archive',
            label: areArchived ? words.unarchive : words.archive,
            onSelect: () => archive(sessions, !areArchived),
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
  label: 'label',
  archive: 'archive',
  unarchive: 'archive',
  remove: 'trash',
};

export function toLine(action: SessionAction): MenuLine {
  const icon = Object.hasOwn(icons, action.name) ? icons[action.name] : undefined;
  return icon === undefined ? action : { icon: <Glyph name={icon} />, ...action };
}
