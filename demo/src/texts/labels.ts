import { english, type LabelOverrides } from 'brooklet/ui';
import { useMemo } from 'react';
import { tabName } from '../base/tab.ts';
import type { Texts } from './en/en.ts';
import { titleOf } from './titleOf.ts';
import { useTexts } from './useTexts.ts';

/** Returns the texts of the parts of a chat: those of the package in the language of the page, and what Studio says in its own words. */
export function useLabelsOfParts(): LabelOverrides {
  const texts = useTexts();
  return useMemo(() => labelsOf(texts), [texts]);
}

/** Returns the texts of the parts in a language. */
export function labelsOf(texts: Texts): LabelOverrides {
  const { parts, tool: words, run } = texts;
  const limits = parts.notice?.limits ?? english.notice.limits;
  return {
    ...parts,
    tool: {
      ...parts.tool,
      title: (name) => titleOf(texts, name),
      decidedBy: (verdict, tab) => (tab === tabName ? words.inThisTab(verdict) : words.inOtherTab(verdict, tab)),
      tooLateBy: (verdict, tab) => words.tooLateOther(verdict, tab),
    },
    notice: { ...parts.notice, limits: { ...limits, steps: run.stepLimit } },
  };
}
