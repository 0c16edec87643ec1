import type { ReactElement } from 'react';
import type { AgentSession, ContextReport } from '../../index.ts';
import { extractTextContent, totalInput } from '../../core/model/index.ts';
import type { ContextLabels } from '../labels/context-english.ts';

interface ReportProps {
  readonly report: ContextReport;
  readonly words: ContextLabels;
}

const zones = ['immutable', 'compressed', 'incremental', 'scratch'] as const;

/** Of what the next request consists: a bar, and the tokens of each zone. */
export function Zones({ report, words }: ReportProps): ReactElement {
  const { usable = 1 } = report;
  const shown = zones.filter((zone) => report.zones[zone].tokens > 0);
  const shareOf = (zone: (typeof zones)[number]): number => (report.zones[zone].tokens / usable) * 100;
  const pieces = shown.map((zone, at) => {
    const x = shown.slice(0, at).reduce((sum, before) => sum + shareOf(before), 0);
    return { zone, x: Math.min(100, x), width: Math.max(0, Math.min(100 - x, shareOf(zone))) };
  });
  return (
    <>
      <svg className="bk-zones" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="4" />
        {pieces.map(({ zone, width, x }) => (
          <rect key={zone} data-zone={zone} x={x} width={width} height="4" />
        ))}
      </svg>
      <dl className="bk-context-rows">
        {shown.map((zone) => (
          <div key={zone}>
            <dt>
              <span className="bk-zone-dot" data-zone={zone} />
              {words.zones[zone]}
            </dt>
            <dd>{words.tokens(report.zones[zone].tokens)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** What the session has used so far. */
export function Totals({ report, words }: ReportProps): ReactElement {
  const { usage, cost } = report;
  return (
    <>
      <p className="bk-subhead">{words.session}</p>
      <dl className="bk-context-rows">
        <div>
          <dt>{words.tokensIn}</dt>
          <dd>{words.tokens(totalInput(usage))}</dd>
        </div>
        <div>
          <dt>{words.tokensOut}</dt>
          <dd>{words.tokens(usage.output)}</dd>
        </div>
        {cost !== undefined && (
          <div>
            <dt>{words.cost}</dt>
            <dd>{words.dollars(cost)}</dd>
          </div>
        )}
      </dl>
    </>
  );
}

/** The compactions, each of which can be undone. */
export function Compactions({
  report,
  onUndo,
  words,
}: ReportProps & { readonly onUndo: (compactionId: string) => void }): ReactElement | null {
  if (report.compactions.length === 0) return null;
  return (
    <>
      <p className="bk-subhead">{words.compactions}</p>
      <ul className="bk-context-rows">
        {report.compactions.map(({ compactionId, tokens }) => {
          const text = words.compaction(tokens.before, tokens.after);
          return (
            <li key={compactionId}>
              <span>{text}</span>
              <button
                type="button"
                className="bk-button"
                data-state="quiet"
                aria-label={words.undoOf(text)}
                onClick={() => onUndo(compactionId)}
              >
                {words.undo}
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** Characters of a pinned message that are shown. */
const maxText = 80;

/** The messages that no compaction takes. */
export function Pinned({
  session,
  report,
  onUnpin,
  words,
}: ReportProps & {
  readonly session: AgentSession;
  readonly onUnpin: (messageId: string) => void;
}): ReactElement | null {
  const messages = session.getMessages().filter(({ id }) => report.pinned.includes(id));
  if (messages.length === 0) return null;
  return (
    <>
      <p className="bk-subhead">{words.pinned}</p>
      <ul className="bk-context-rows">
        {messages.map((message) => {
          const text = extractTextContent(message).slice(0, maxText);
          return (
            <li key={message.id}>
              <bdi>{text}</bdi>
              <button
                type="button"
                className="bk-button"
                data-state="quiet"
                aria-label={words.unpinOf(text)}
                onClick={() => onUnpin(message.id)}
              >
                {words.unpin}
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}
