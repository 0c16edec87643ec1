import { type AgentSession, type ContextReport, extractTextContent, toAgentError } from 'brooklet';
import { useObservable } from 'brooklet/react';
import { type ReactElement, useState } from 'react';
import { attempt } from '../toast/reportRefusal.ts';
import { formatCost, formatCount } from '../texts/format.ts';
import { useTexts } from '../texts/useTexts.ts';

interface ContextPanelProps {
  readonly session: AgentSession;
  /** Of the context window, in use. */
  readonly percent: number;
}

const zones = ['immutable', 'compressed', 'incremental', 'scratch'] as const;

/** What the model reads with the next message: by zone, with what was summed up and what is pinned. */
export function ContextPanel({ session, percent }: ContextPanelProps): ReactElement | null {
  const texts = useTexts();
  const { context: words } = texts;
  const report = useObservable(session.context$, () => session.getContext());
  const status = useObservable(session.status$, () => session.getStatus());
  const [isCompacting, setIsCompacting] = useState(false);
  const [problem, setProblem] = useState<string>();
  if (report === undefined) return null;
  const { tokens, usable = 0 } = report;

  const compact = (): void => {
    setIsCompacting(true);
    setProblem(undefined);
    session
      .compact()
      .then(({ error }) => setProblem(error?.message))
      .catch((thrown: unknown) => setProblem(toAgentError(thrown).message))
      .finally(() => setIsCompacting(false));
  };

  return (
    <>
      <h2>{words.title}</h2>
      <p>
        <strong>{words.used(percent)}</strong> {words.of(formatCount(texts, tokens), formatCount(texts, usable))}
      </p>
      <Zones report={report} />
      <p className="hint">{words.explained}</p>
      <Totals report={report} />
      <Compactions session={session} report={report} />
      <Pinned session={session} report={report} />
      {(problem ?? report.failure) && (
        <p className="bad" role="alert">
          {words.failure} {problem ?? report.failure?.message}
        </p>
      )}
      <button type="button" aria-disabled={isCompacting || status !== 'idle'} onClick={compact}>
        {isCompacting ? words.compacting : words.compactNow}
      </button>
    </>
  );
}

interface ReportProps {
  readonly report: ContextReport;
}

function Zones({ report }: ReportProps): ReactElement {
  const texts = useTexts();
  const { usable = 1 } = report;
  const shown = zones.filter((zone) => report.zones[zone].tokens > 0);
  return (
    <>
      <div className="zone-bar" aria-hidden="true">
        {shown.map((zone) => (
          <span
            key={zone}
            className={`zone ${zone}`}
            style={{ width: `${Math.min(100, (report.zones[zone].tokens / usable) * 100)}%` }}
          />
        ))}
      </div>
      <dl className="context-rows">
        {shown.map((zone) => (
          <div key={zone}>
            <dt>
              <span className={`zone-dot ${zone}`} />
              {texts.context.zones[zone]}
            </dt>
            <dd>{formatCount(texts, report.zones[zone].tokens)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Totals({ report }: ReportProps): ReactElement {
  const texts = useTexts();
  const { context: words } = texts;
  const { usage, cost } = report;
  return (
    <>
      <h3>{words.session}</h3>
      <dl className="context-rows">
        <div>
          <dt>{words.tokensIn}</dt>
          <dd>{formatCount(texts, usage.input + (usage.cacheRead ?? 0) + (usage.cacheWritten ?? 0))}</dd>
        </div>
        <div>
          <dt>{words.tokensOut}</dt>
          <dd>{formatCount(texts, usage.output)}</dd>
        </div>
        {cost !== undefined && (
          <div>
            <dt>{words.cost}</dt>
            <dd>{formatCost(texts, cost)}</dd>
          </div>
        )}
      </dl>
    </>
  );
}

interface SessionReportProps extends ReportProps {
  readonly session: AgentSession;
}

function Compactions({ session, report }: SessionReportProps): ReactElement | null {
  const texts = useTexts();
  const { context: words } = texts;
  if (report.compactions.length === 0) return null;
  return (
    <>
      <h3>{words.compactions}</h3>
      <ul className="context-list">
        {report.compactions.map(({ compactionId, tokens }) => (
          <li key={compactionId}>
            <span>{words.compaction(formatCount(texts, tokens.before), formatCount(texts, tokens.after))}</span>
            <button
              type="button"
              className="quiet small"
              onClick={() => attempt(() => session.restoreContext(compactionId))}
            >
              {words.undo}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function Pinned({ session, report }: SessionReportProps): ReactElement | null {
  const { context: words, message } = useTexts();
  const messages = session.getMessages().filter(({ id }) => report.pinned.includes(id));
  if (messages.length === 0) return null;
  return (
    <>
      <h3>{words.pinned}</h3>
      <ul className="context-list">
        {messages.map((pinned) => {
          const text = extractTextContent(pinned).slice(0, 80);
          return (
            <li key={pinned.id}>
              <bdi>{text}</bdi>
              <button
                type="button"
                className="quiet small"
                aria-label={words.unpin(text)}
                onClick={() => attempt(() => session.pin(pinned.id, false))}
              >
                {message.unpin}
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}
