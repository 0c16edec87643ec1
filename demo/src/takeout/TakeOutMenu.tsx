import { type AgentSession, extractTextContent } from 'brooklet';
import { Menu } from 'brooklet/ui';
import type { ReactElement } from 'react';
import { openPane } from '../pane/pane.ts';
import { download, nameOfFile } from '../base/download.ts';
import { reportRefusal } from '../toast/reportRefusal.ts';
import { showToast } from '../toast/toasts.ts';
import { useTexts } from '../texts/useTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { type Taken, takeAnswer, takeChat, toText } from './taken.ts';

interface TakeOutMenuProps {
  /** The accessible name of the button. */
  readonly label: string;
  readonly session: AgentSession;
  /** The last reply of the answer that is taken; without it the whole conversation is. */
  readonly messageId?: string;
}

// React Compiler leaves out a component that imports.
const loadSavePage = () => import('./savePage.ts');
const loadPrint = () => import('./print.ts');

/** A menu that takes a conversation or an answer out of the page: as Markdown, as a page, on paper. */
export function TakeOutMenu({ label, session, messageId }: TakeOutMenuProps): ReactElement {
  const texts = useTexts();
  const { takeOut: words, pane } = texts;
  const take = (): Taken => (messageId === undefined ? takeChat(session) : takeAnswer(session, messageId));
  const perform = (act: () => Promise<void>): void => {
    act().catch(reportRefusal);
  };
  const openBeside = (): void => {
    const text = take()
      .messages.map((message) => extractTextContent(message))
      .join('\n\n');
    openPane({ is: 'answer', text: text.trim() });
  };
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(toText(take(), texts));
    showToast(words.copied);
  };
  const saveMarkdown = async (): Promise<void> => {
    const taken = take();
    download(new Blob([toText(taken, texts)], { type: 'text/markdown' }), nameOfFile(taken.title, 'md'));
  };
  const savePage = async (): Promise<void> => {
    const { toPage } = await loadSavePage();
    const taken = take();
    download(await toPage(taken, texts), nameOfFile(taken.title, 'html'));
  };
  const printIt = async (): Promise<void> => {
    const { printTaken } = await loadPrint();
    await printTaken(take(), texts);
  };
  return (
    <Menu
      label={label}
      lines={[
        ...(messageId === undefined
          ? []
          : [{ name: 'beside', label: pane.open, icon: <Icon name="side" />, onSelect: openBeside }]),
        { name: 'copy', label: words.copy, icon: <Icon name="copy" />, onSelect: () => perform(copy) },
        {
          name: 'markdown',
          label: words.markdown,
          icon: <Icon name="download" />,
          onSelect: () => perform(saveMarkdown),
        },
        { name: 'page', label: words.page, icon: <Icon name="file" />, onSelect: () => perform(savePage) },
        { name: 'print', label: words.print, icon: <Icon name="upload" />, onSelect: () => perform(printIt) },
      ]}
    />
  );
}
