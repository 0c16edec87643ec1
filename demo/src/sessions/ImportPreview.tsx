import type { ImportReport } from 'brooklet/storage';
import type { ReactElement } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';

/** Lines that are shown at once. */
const most = 50;
const mostProblems = 5;

/** What an import would do, session by session, or why the file cannot be imported. */
export function ImportPreview({ report }: { readonly report: ImportReport }): ReactElement {
  const { importing: words, common } = useAllTexts();
  const { problems, imported, sessions, events } = report;
  if (problems.length > 0)
    return (
      <div className="import-problems" role="alert">
        <strong>{words.damaged}</strong>
        <ul>
          {problems.slice(0, mostProblems).map(({ line, field, reason }) => (
            <li key={`${line} ${field}`}>{words.problem(line, field, reason)}</li>
          ))}
          {problems.length > mostProblems && <li>{words.moreProblems(problems.length - mostProblems)}</li>}
        </ul>
      </div>
    );
  if (sessions === 0)
    return (
      <p className="bad" role="alert">
        {words.nothing}
      </p>
    );
  return (
    <>
      <p role="status">{words.inFile(sessions, events)}</p>
      <ul className="import-list">
        {imported.slice(0, most).map(({ id, title, result }) => (
          <li key={id}>
            <bdi>{title || common.untitled}</bdi>
            <span className={`badge ${result}`}>{words[result]}</span>
          </li>
        ))}
        {imported.length > most && <li>…</li>}
      </ul>
    </>
  );
}
