import type { ReactElement } from 'react';
import { type Combination, keys } from '../base/shortcuts.ts';
import type { AllTexts } from '../texts/en/rooms.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { Modal } from '../ui/Modal.tsx';
import { KeyCaps } from './KeyCaps.tsx';
import '../styles/palette.css';

/** All keys of the page. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { help: words, common } = useAllTexts();
  return (
    <Modal title={words.title} className="help-modal" onClose={onClose}>
      <button type="button" className="quiet small modal-close" aria-label={common.close} onClick={onClose}>
        <Icon name="close" />
      </button>
      <div className="help-groups">
        {groupsOf(words).map(({ label, lines }) => (
          <section key={label} aria-label={label}>
            <h3>{label}</h3>
            <dl>
              {lines.map(({ does, keys }) => (
                <div key={does}>
                  <dt>{does}</dt>
                  <dd>
                    <KeyCaps keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}

interface Group {
  readonly label: string;
  readonly lines: readonly { readonly does: string; readonly keys: Combination }[];
}

function groupsOf(words: AllTexts['help']): readonly Group[] {
  return [
    {
      label: words.everywhere,
      lines: [
        { does: words.palette, keys: keys.palette },
        { does: words.newChat, keys: keys.newChat },
        { does: words.search, keys: keys.search },
        { does: words.settings, keys: keys.settings },
        { does: words.chatSettings, keys: keys.chatSettings },
        { does: words.sidebar, keys: keys.sidebar },
        { does: words.answerAgain, keys: keys.answerAgain },
        { does: words.undo, keys: keys.undo },
        { does: words.stop, keys: { key: 'Escape' } },
        { does: words.help, keys: keys.help },
      ],
    },
    {
      label: words.inChat,
      lines: [
        { does: words.send, keys: { key: 'Enter' } },
        { does: words.newLine, keys: { key: 'Enter', shift: true } },
        { does: words.steer, keys: { key: 'Enter', mod: true } },
      ],
    },
    {
      label: words.inPalette,
      lines: [
        { does: words.move, keys: { key: 'ArrowDown' } },
        { does: words.choose, keys: { key: 'Enter' } },
        { does: words.leave, keys: { key: 'Escape' } },
      ],
    },
  ];
}
