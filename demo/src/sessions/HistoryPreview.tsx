import type { HistoryFormat, HistoryReport, TakenParts } from 'brooklet/storage';
import type { ReactElement } from 'react';
import { textFor } from '../texts/textFor.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';

/** Lines that are shown at once. */
const most = 50;

/** What an import of another program's file would do: what is taken, what is left out, and each conversation. */
export function HistoryPreview({ report }: { readonly report: HistoryReport }): ReactElement {
  const { importing: words, common, locale } = useAllTexts();
  const { format, conversations, taken, leftOut } = report;
  const kinds = takenKinds.filter((kind) => taken[kind] > 0);
  return (
    <>
      <p role="status">{words.found(nameOf(format, words.plainMessages), conversations.length, taken.messages)}</p>
      <div className="import-parts">
        <section aria-label={words.taken}>
          <h3>{words.taken}</h3>
          <ul>
            {kinds.map((kind) => (
              <li key={kind}>
                {words.takenParts[kind]}: {taken[kind].toLocaleString(locale)}
              </li>
            ))}
          </ul>
        </section>
        <section aria-label={words.leftOut}>
          <h3>{words.leftOut}</h3>
          {leftOut.length === 0 && <p className="hint">{words.nothingLeftOut}</p>}
          <ul>
            {leftOut.map(({ part, reason, count }) => (
              <li key={`${part} ${reason}`}>
                {words.left(count, textFor(words.parts, part) ?? part, words.reasons[reason])}
              </li>
            ))}
          </ul>
        </section>
      </div>
      <ul className="import-list">
        {conversations.slice(0, most).map(({ sessionId, title, result }) => (
          <li key={sessionId}>
            <bdi>{title || common.untitled}</bdi>
            <span className={`badge ${result}`}>{words.results[result]}</span>
          </li>
        ))}
        {conversations.length > most && <li>…</li>}
      </ul>
    </>
  );
}

const takenKinds = [
  'versions',
  'texts',
  'reasoning',
  'images',
  'audio',
  'files',
  'sources',
  'calls',
  'results',
] as const satisfies readonly (keyof TakenParts)[];

const names: { readonly [Format in Exclude<HistoryFormat, 'messages'>]: string } = {
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  'open-webui': 'Open WebUI',
  lobechat: 'LobeChat',
  nextchat: 'NextChat',
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
};

function nameOf(format: HistoryFormat, plainMessages: string): string {
  return format === 'messages' ? plainMessages : names[format];
}
