import type { UseChatResult } from 'brooklet/react';
import type { ReactElement } from 'react';
import { goTo } from '../route.ts';
import type { Remedy } from './remedies.ts';
import { useTexts } from '../texts/useTexts.ts';

interface RemediesProps {
  readonly chat: UseChatResult;
  readonly billingURL: string | undefined;
  readonly onSettings: () => void;
  /** The action that helps first. */
  readonly remedies: readonly Remedy[];
}

/** What the user can do about a run that has not completed. The first action is highlighted. */
export function Remedies({ chat, billingURL, onSettings, remedies }: RemediesProps): ReactElement {
  const { run: text } = useTexts();
  const actions: Readonly<Record<Exclude<Remedy, 'topUp'>, readonly [label: string, act: () => void]>> = {
    settings: [text.openSettings, onSettings],
    reload: [text.reload, () => location.reload()],
    newChat: [text.newChat, () => goTo(undefined)],
    resume: [chat.status === 'limit' ? text.continue : text.resume, () => void chat.resume()],
    retry: [text.retry, () => void chat.regenerate()],
  };
  return (
    <div className="notice-verbs">
      {remedies.map((remedy, index) => {
        const look = index === 0 ? 'primary' : '';
        if (remedy === 'topUp')
          return (
            <a key={remedy} className={`button ${look}`} href={billingURL} target="_blank" rel="noopener noreferrer">
              {text.topUp}
            </a>
          );
        const [label, act] = actions[remedy];
        return (
          <button key={remedy} type="button" className={look} onClick={act}>
            {label}
          </button>
        );
      })}
    </div>
  );
}
