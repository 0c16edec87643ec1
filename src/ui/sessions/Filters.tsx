import type { ReactElement } from 'react';
import type { MetadataFilter } from '../../core/model/index.ts';
import type { SessionsLabels } from '../labels/sessions-english.ts';

interface FiltersProps {
  readonly where: MetadataFilter;
  readonly onWhere: (where: MetadataFilter) => void;
  readonly labels: readonly string[];
  readonly words: SessionsLabels;
}

const notArchived = { archived: { not: true } } as const;

/** Chooses what the list shows: all sessions, those with a label, or the archived ones. */
export function Filters({ where, onWhere, labels, words }: FiltersProps): ReactElement {
  const isArchive = where['archived'] === true;
  const label = labelOf(where);
  const offered = label === undefined || labels.includes(label) ? labels : [label, ...labels];
  const toButton = (key: string, text: string, isPressed: boolean, to: MetadataFilter): ReactElement => (
    <button key={key} type="button" className="bk-filter" aria-pressed={isPressed} onClick={() => onWhere(to)}>
      <bdi>{text}</bdi>
    </button>
  );
  return (
    <div className="bk-filters" role="group" aria-label={words.filters}>
      {toButton('all', words.all, !isArchive && label === undefined, notArchived)}
      {offered.map((one) => toButton(`label ${one}`, one, one === label, { labels: one, ...notArchived }))}
      {toButton('archive', words.inArchive, isArchive, { archived: true })}
    </div>
  );
}

/** Returns the label that a list is filtered by. */
export function labelOf(where: MetadataFilter | undefined): string | undefined {
  const label = where?.['labels'];
  return typeof label === 'string' ? label : undefined;
}
