import type { LabelOverrides } from '../ui/labels/english.ts';
import { chinese } from '../ui/index.ts';

/** The texts that the element has beside those of the parts. */
export interface Words {
  readonly open: (unread: number) => string;
  readonly close: string;
  readonly cannotShow: string;
}

const english: Words = {
  open: (unread) => (unread === 0 ? 'Open chat' : unread === 1 ? 'Open chat, 1 unread' : `Open chat, ${unread} unread`),
  close: 'Close chat',
  cannotShow: 'This chat cannot be shown.',
};

const inChinese: Words = {
  open: (unread) => (unread === 0 ? '打开聊天' : `打开聊天，${unread} 条未读`),
  close: '关闭聊天',
  cannotShow: '无法显示聊天。',
};

const isChinese = (language: string): boolean => /^zh\b/iu.test(language);

export const wordsIn = (language: string): Words => (isChinese(language) ? inChinese : english);

interface LabelsOptions {
  readonly language: string;
  readonly own: LabelOverrides | undefined;
  readonly placeholder: string | undefined;
  readonly welcome: string | undefined;
}

/** Returns the texts of the parts: of the language, and in their place those of the page. */
export function labelsOf({ language, own = {}, placeholder, welcome }: LabelsOptions): LabelOverrides {
  const base: LabelOverrides = isChinese(language) ? chinese : {};
  const merged = { ...base, ...own };
  const field = { ...base.composer, ...own.composer };
  const chat = { ...base.chat, ...own.chat };
  return {
    ...merged,
    ...mergedParts(base, own),
    composer: placeholder === undefined ? field : { ...field, placeholder },
    chat: welcome === undefined ? chat : { ...chat, welcome },
  };
}

/** A part that the page gives in part keeps the other texts of the language. */
function mergedParts(base: LabelOverrides, own: LabelOverrides): LabelOverrides {
  return Object.fromEntries(
    Object.entries(own).map(([name, texts]) => [
      name,
      { ...Object.entries(base).find(([its]) => its === name)?.[1], ...texts },
    ]),
  );
}
