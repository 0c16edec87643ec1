import type { Agent } from 'brooklet';
import { exportSessions, removeSession, toggleArchive, togglePin } from '../sessions/actions.ts';
import { readMetadata } from '../model/metadata.ts';
import { vault } from '../keys/vault.ts';
import { goToHref, reviewHref } from '../base/route.ts';
import { type Combination, keys, type ShellActions } from '../base/shortcuts.ts';
import { openOverlay } from '../base/overlay.ts';
import type { AllTexts } from '../texts/en/rooms.ts';
import { languageNames, setLanguage } from '../texts/language.ts';
import { setTheme, type Theme } from '../base/theme.ts';
import { undoLast } from '../toast/toasts.ts';
import type { IconName } from '../ui/Icon.tsx';
import { toggleDevtools } from './devtools.ts';

/** Something that the palette can do. */
export interface Command {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  readonly keys?: Combination;
  readonly run: () => void;
}

interface CommandContext extends ShellActions {
  readonly agent: Agent;
  readonly texts: AllTexts;
}

/** Returns every command that is possible now. */
export function commandsOf({ agent, texts, ...actions }: CommandContext): readonly Command[] {
  const { sessionId, onNewChat, onSearch, onSidebar } = actions;
  const { palette: words, common, settings, help } = texts;
  return [
    { id: 'new', label: common.newChat, icon: 'plus', keys: keys.newChat, run: onNewChat },
    { id: 'search', label: words.goToSearch, icon: 'search', keys: keys.search, run: onSearch },
    ...commandsOfSession(agent, texts, actions),
    {
      id: 'chat',
      label: words.chatSettings,
      icon: 'sliders',
      keys: keys.chatSettings,
      run: () => openOverlay({ is: 'chat', sessionId }),
    },
    { id: 'later', label: words.sendLater, icon: 'history', run: () => openOverlay({ is: 'later', sessionId }) },
    {
      id: 'model',
      label: words.connectModel,
      icon: 'key',
      run: () => openOverlay({ is: 'settings', section: 'model' }),
    },
    {
      id: 'settings',
      label: words.openSettings,
      icon: 'settings',
      keys: keys.settings,
      run: () => openOverlay({ is: 'settings' }),
    },
    ...(['keys', 'mcp', 'skills', 'workspace', 'approvals', 'usage', 'storage', 'appearance'] as const).map(
      (section) => ({
        id: `settings-${section}`,
        label: `${settings.title}: ${settings[section]}`,
        icon: 'settings' as const,
        run: () => openOverlay({ is: 'settings', section }),
      }),
    ),
    ...(vault.getState().status === 'open'
      ? [{ id: 'lock', label: texts.keys.lockNow, icon: 'key' as const, run: vault.lock }]
      : []),
    { id: 'import', label: words.importFile, icon: 'upload', run: () => openOverlay({ is: 'import' }) },
    { id: 'export', label: words.exportAll, icon: 'download', run: () => void exportSessions(agent) },
    { id: 'review', label: words.reviewFile, icon: 'history', run: () => goToHref(reviewHref({})) },
    { id: 'devtools', label: words.devtools, icon: 'tool', run: () => void toggleDevtools(agent) },
    { id: 'undo', label: help.undo, icon: 'refresh', keys: keys.undo, run: () => void undoLast() },
    { id: 'sidebar', label: help.sidebar, icon: 'menu', keys: keys.sidebar, run: onSidebar },
    ...themes.map((theme) => ({
      id: `theme-${theme}`,
      label: words.theme(settings.themes[theme]),
      icon: 'theme' as const,
      run: () => setTheme(theme),
    })),
    ...(['en', 'zh'] as const).map((language) => ({
      id: `language-${language}`,
      label: words.language(languageNames[language]),
      icon: 'globe' as const,
      run: () => void setLanguage(language),
    })),
    { id: 'help', label: words.showHelp, icon: 'keyboard', keys: keys.help, run: () => openOverlay({ is: 'help' }) },
  ];
}

const themes: readonly Theme[] = ['system', 'light', 'dark'];

function commandsOfSession(
  agent: Agent,
  { palette: words, help }: AllTexts,
  { sessionId: id, onAnswerAgain }: ShellActions,
): readonly Command[] {
  const state = id === undefined ? undefined : agent.getSession(id)?.getState();
  if (id === undefined || state === undefined) return [];
  const target = { id, title: state.title };
  const hasQuestion = state.messages.some(({ role }) => role === 'user');
  return [
    ...(hasQuestion
      ? [
          {
            id: 'answer-again',
            label: help.answerAgain,
            icon: 'refresh' as const,
            keys: keys.answerAgain,
            run: onAnswerAgain,
          },
        ]
      : []),
    { id: 'review-this', label: words.reviewThis, icon: 'history', run: () => goToHref(reviewHref({ sessionId: id })) },
    {
      id: 'pin-this',
      label: words.pinThis,
      icon: 'pin',
      run: () => togglePin(agent, target, readMetadata(state.metadata).isPinned),
    },
    { id: 'export-this', label: words.exportThis, icon: 'download', run: () => void exportSessions(agent, [target]) },
    {
      id: 'archive-this',
      label: words.archiveThis,
      icon: 'archive',
      run: () => toggleArchive(agent, target, state.metadata?.['archived'] === true),
    },
    { id: 'delete-this', label: words.deleteThis, icon: 'trash', run: () => removeSession(agent, target) },
  ];
}

/** Returns the commands whose label contains every word; those that begin with the first word come first. */
export function filterCommands(commands: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean);
  const [first] = words;
  if (first === undefined) return commands;
  const found = commands.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  const rank = ({ label }: Command): number => (label.toLowerCase().startsWith(first) ? 0 : 1);
  return found.toSorted((a, b) => rank(a) - rank(b));
}
