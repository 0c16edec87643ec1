import type { ViewerTexts } from './en.ts';

/** 查看器的简体中文文本。 */
export const zh: ViewerTexts = {
  locale: 'zh-CN',

  opening: '正在打开日志…',
  unreadable: '无法读取此文件的日志',
  problem: (line, field, reason) => `日志第 ${line} 行：${field || '该行'} ${reason}。`,
  damaged: (problem) => `只能显示到损坏处。${problem}`,

  masked: (left) => `此文件未包含：${left.join('、') || '无'}。`,
  maskedParts: {
    attachments: '附件',
    toolOutputs: '工具的输出',
    instructions: '指令',
    patterns: (count) => `与 ${count} 个模式匹配的内容`,
  },
};
