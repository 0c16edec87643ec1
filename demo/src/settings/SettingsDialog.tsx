import { lazy, type ReactElement, Suspense, useState } from 'react';
import type { Connection } from '../model/connection.ts';
import { KeysSection } from '../keys/KeysSection.tsx';
import type { SettingsSection } from '../base/overlay.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { HoldSwitch } from '../trust/HoldSwitch.tsx';
import { Icon } from '../ui/Icon.tsx';
import { isText } from '../ui/isText.ts';
import { Modal } from '../ui/Modal.tsx';
import { RoomIcon } from '../ui/RoomIcon.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { AnswersSection } from './AnswersSection.tsx';
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

const icons: Readonly<Record<SettingsSection, ReactElement>> = {
  model: <Icon name="globe" />,
  keys: <Icon name="key" />,
  answers: <Icon name="sliders" />,
  mcp: <RoomIcon name="plug" />,
  skills: <RoomIcon name="book" />,
  workspace: <RoomIcon name="folder" />,
  approvals: <Icon name="hand" />,
  usage: <Icon name="chart" />,
  storage: <Icon name="database" />,
  devices: <RoomIcon name="devices" />,
  appearance: <Icon name="theme" />,
};

const sections: readonly SettingsSection[] = [
  'model',
  'keys',
  'answers',
  'mcp',
  'skills',
  'workspace',
  'approvals',
  'usage',
  'storage',
  'devices',
  'appearance',
];

const MCPSection = lazy(async () => ({ default: (await import('../mcp/MCPSection.tsx')).MCPSection }));
const SkillsSection = lazy(async () => ({ default: (await import('../skills/SkillsSection.tsx')).SkillsSection }));
const DevicesSection = lazy(async () => ({ default: (await import('../devices/DevicesSection.tsx')).DevicesSection }));
const WorkspaceSection = lazy(async () => ({
  default: (await import('../workspace/WorkspaceSection.tsx')).WorkspaceSection,
}));

/** The settings of the page, in sections. */
export function SettingsDialog({ connection, sessionId, section, onClose }: SettingsDialogProps): ReactElement {
  const { settings: words } = useAllTexts();
  const [shown, setShown] = useState<SettingsSection>(section ?? 'model');
  const [draft, setDraft] = useState<'none' | 'typed' | 'warned'>('none');
  const show = (next: SettingsSection): void => {
    setDraft('none');
    setShown(next);
  };
  // Escape and a click outside are pressed by mistake, too: what was typed goes at the second time only.
  const closeOrWarn = (): void => {
    if (draft === 'typed') setDraft('warned');
    else onClose();
  };
  return (
    <Modal title={words.title} className="settings-modal" onClose={closeOrWarn}>
      <button type="button" className="quiet small modal-close" aria-label={words.closeSettings} onClick={onClose}>
        <Icon name="close" />
      </button>
      <div
        className="contents"
        onInput={({ target }) => isText(target) && setDraft('typed')}
        onSubmit={() => setDraft('none')}
      >
        <Tabs
          label={words.sections}
          tabs={sections.map((id) => ({ id, label: words[id], icon: icons[id] }))}
          selected={shown}
          onSelect={show}
        >
          <Suspense fallback={null}>
            {renderSection(shown, { connection, sessionId, onClose, onKeys: () => show('keys') })}
          </Suspense>
        </Tabs>
      </div>
      <p className="hint settings-warning" role="status">
        {draft === 'warned' && words.unsaved}
      </p>
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
    case 'answers':
      return <AnswersSection />;
    case 'mcp':
      return <MCPSection />;
    case 'skills':
      return <SkillsSection />;
    case 'workspace':
      return <WorkspaceSection />;
    case 'approvals':
      return <ApprovalRules sessionId={sessionId} switches={<HoldSwitch />} />;
    case 'usage':
      return <UsageSection sessionId={sessionId} />;
    case 'storage':
      return <StorageSection onKeys={onKeys} />;
    case 'devices':
      return <DevicesSection />;
    case 'appearance':
      return <Appearance />;
  }
}
