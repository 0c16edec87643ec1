import { chinese, type LabelOverrides } from 'brooklet/ui';

/** 对话各部分的简体中文文本：大部分来自 brooklet/ui，这里只有 Studio 自己的说法。 */
export const partsZh: LabelOverrides = {
  ...chinese,
  composer: {
    ...chinese.composer,
    drop: '将图片、文本文件或 PDF 拖到这里',
    unsupported: (name) => `${name}：只能添加图片、文本文件和 PDF。`,
  },
  approval: { ...chinese.approval, agentTitle: '在所有对话中都一样，直到你在设置中撤销' },
  notice: {
    ...chinese.notice,
    cures: {
      ...chinese.notice.cures,
      AUTHENTICATION_FAILED: '请在设置中检查密钥。',
      MODEL_NOT_FOUND: '请在设置中选择其他模型。',
      MODEL_NOT_READY: '请在设置中下载它。',
      CONTEXT_OVERFLOW: '请减少发送的内容、开始新对话，或删除一些消息。',
      SESSION_NOT_FOUND:
        '它已被删除，是在另一个浏览器中创建的，或已被此浏览器清除（Safari 在七天没有访问后会这样做）。如果你导出过它，请打开那个文件。',
    },
  },
};
