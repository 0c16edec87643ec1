import { type ReactElement, useState } from 'react';
import type { Connection } from '../connection.ts';
import { KeysSection } from '../keys/KeysSection.tsx';
import type { SettingsSection } from '../shell/overlay.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { Modal } from '../ui/Modal.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { Appearance } from './Appearance.tsx';
import { ApprovalRules } from './ApprovalRules.tsx';
import { ConnectionSection } from './ConnectionSection.tsx';
import { StorageSection } from './StorageSection.tsx';
import { UsageSection } from './UsageSection.tsx';
import '../styles/settings.css';

interface SettingsDialogProps {
  readonly connection: Connection;
  /** The conversation that is shown. */
  readonly sessionId: string | undefined;
  /** The section to show first. */
  readonly section: SettingsSection | undefined;
  readonly onClose: () => void;
}

const icons: Readonly<Record<SettingsSection, IconName>> = {
  model: 'globe',
  keys: 'key',
  approvals: 'hand',
  usage: 'chart',
  storage: 'database',
  appearance: 'theme',
};

/** The settings of the page, in sections. */
export function SettingsDialog({ connection, sessionId, section, onClose }: SettingsDialogProps): ReactElement {
  const { settings: words } = useAllTexts();
  const [shown, setShown] = useState<SettingsSection>(section ?? 'model');
  const sections: readonly SettingsSection[] = ['model', 'keys', 'approvals', 'usage', 'storage', 'appearance'];
  return (
    <Modal title={words.title} className="settings-modal" onClose={onClose}>
      <button type="button" className="quiet small modal-close" aria-label={words.closeSettings} onClick={onClose}>
        <Icon name="close" />
      </button>
      <Tabs
        label={words.sections}
        tabs={sections.map((id) => ({ id, label: words[id], icon: icons[id] }))}
        selected={shown}
        onSelect={setShown}
      >
        {renderSection(shown, { connection, sessionId, onClose, onKeys: () => setShown('keys') })}
      </Tabs>
    </Modal>
  );
}

function renderSection(
  section: SettingsSection,
  { connection, sessionId, onClose, onKeys }: Omit<SettingsDialogProps, 'section'> & { readonly onKeys: () => void },
): ReactElement {
  switch (section) {
    case 'model':
      return <ConnectionSection connection={connection} onClose={onClose} onKeys={onKeys} />;
    case 'keys':
      return <KeysSection />;
    case 'approvals':
      return <ApprovalRules sessionId={sessionId} />;
    case 'usage':
      return <UsageSection sessionId={sessionId} />;
    case 'storage':
      return <StorageSection onKeys={onKeys} />;
    case 'appearance':
      return <Appearance />;
  }
}
