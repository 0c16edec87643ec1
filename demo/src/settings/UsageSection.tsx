import { useAgent } from 'brooklet/react';
import { type ReactElement, useEffect, useState } from 'react';
import { loadCosts } from '../model/costs.ts';
import { TitleSwitch } from '../sessions/TitleSwitch.tsx';
import { formatCost, formatCount } from '../texts/format.ts';
import type { AllTexts } from '../texts/en/rooms.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { nothing, type Spending, spendingOf, spendingOfAll } from './spending.ts';

/** Tokens and cost of this conversation and of all. */
export function UsageSection({ sessionId }: { readonly sessionId: string | undefined }): ReactElement {
  const texts = useAllTexts();
  const { usage: words } = texts;
  const { here, all, isCounting } = useSpending(sessionId);
  return (
    <div className="settings-body">
      {here && (
        <>
          <h3>{words.thisChat}</h3>
          <SpendingTable spending={here} />
        </>
      )}
      <h3>{words.allChats}</h3>
      <SpendingTable spending={all} sessions={formatCount(texts, all.sessions)} />
      <output className="hint">{isCounting && words.counting}</output>
      <p className="hint">{words.note}</p>
      <TitleSwitch />
    </div>
  );
}

interface SpendingTableProps {
  readonly spending: Spending;
  readonly sessions?: string;
}

function SpendingTable({ spending, sessions }: SpendingTableProps): ReactElement {
  const texts = useAllTexts();
  const { usage: words } = texts;
  const { input, output } = spending;
  return (
    <dl className="figures">
      {sessions !== undefined && (
        <div>
          <dt>{words.conversations}</dt>
          <dd>{sessions}</dd>
        </div>
      )}
      <div>
        <dt>{words.input}</dt>
        <dd>{formatCount(texts, input)}</dd>
      </div>
      <div>
        <dt>{words.output}</dt>
        <dd>{formatCount(texts, output)}</dd>
      </div>
      <div>
        <dt>{words.cost}</dt>
        <dd>{describeCost(spending, texts)}</dd>
      </div>
    </dl>
  );
}

function describeCost({ cost, isComplete }: Spending, texts: AllTexts): string {
  if (isComplete) return formatCost(texts, cost);
  return cost === 0 ? texts.usage.unknownPrice : texts.usage.atLeast(formatCost(texts, cost));
}

interface CountedSpending {
  readonly here: Spending | undefined;
  readonly all: Spending;
  readonly isCounting: boolean;
}

/** Adds up what is stored when the section opens. */
function useSpending(sessionId: string | undefined): CountedSpending {
  const { store } = useAgent();
  const [here, setHere] = useState<Spending>();
  const [all, setAll] = useState(nothing);
  const [isCounting, setIsCounting] = useState(true);

  useEffect(() => {
    if (!store) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const count = async (): Promise<void> => {
      const costOf = await loadCosts();
      const stored = sessionId === undefined ? undefined : await store.read(sessionId);
      if (stored && !signal.aborted) setHere(spendingOf(stored.events, costOf));
      const sum = await spendingOfAll(store, costOf, {
        signal,
        onProgress: (sum) => !signal.aborted && setAll(sum),
      });
      if (!signal.aborted) setAll(sum);
    };
    count()
      // The figures so far stay; the list of sessions shows why the store cannot be read.
      .catch(() => {})
      .finally(() => !signal.aborted && setIsCounting(false));
    return () => controller.abort();
  }, [store, sessionId]);

  return { here, all, isCounting };
}
