import type { ReviewTexts } from '../en/review.ts';

/** 回放页面的简体中文文本。 */
export const reviewZh: ReviewTexts = {
  locale: 'zh-CN',

  title: '回放',
  back: '返回对话',
  backToAll: '返回对话列表',
  untitled: '未命名',
  opening: '正在打开…',
  notStored: '此浏览器中没有这个会话。它可能已被删除，或保存在其他浏览器中：请索取导出的文件。',
  pickOwn: '或选择此浏览器中的会话',
  pickNone: '这里没有其他会话',
  pick: '选择会话…',

  open: {
    button: '打开文件',
    title: '打开导出的会话',
    hint: '将 .jsonl 文件拖到这里，或选择文件。文件只留在此标签页中：不会发送任何内容，其中的内容也不会运行。',
    reading: '正在读取…',
    choose: '选择文件',
    sessions: '文件中的会话',
    several: (count) => `此文件包含 ${count} 个会话：`,
    unreadable: '无法读取。',
    empty: (reason) => `此文件中没有会话。${reason}`,
    cut: (reason) => `只能显示到无法读取的一行之前。${reason}`,
    problem: (line, field, reason) => `第 ${line} 行：${field || '该行'} ${reason}。`,
    newer: '它可能由更新版本的 Brooklet 写入。',
  },

  moment: '此时刻的链接',
  linkTo: (seq) => `事件 ${seq} 的链接`,

  save: {
    button: '保存',
    session: '会话和备注（.jsonl）',
    page: '可独立打开的网页（.html）',
    test: '复制为测试',
    report: '错误报告…',
    sessionSaved: '会话已保存。',
    pageSaved: '网页已保存。',
    testCopied: '测试已复制：请粘贴到由 vitest 运行的文件中。',
  },

  report: {
    title: '错误报告',
    intro: '这会生成一个文件。不会发送任何内容：由你决定交给谁。文件内容如下：',
    what: '发生了什么？你期望的结果是什么？',
    withSession: (events, notes) => `整个会话，共 ${events} 个事件和 ${notes} 条备注：包括所有的消息、提问和回答`,
    page: '页面',
    noKey: '不含密钥和密码：Brooklet 不保存它们。',
    characters: (count) => `共 ${count} 个字符。`,
    save: '保存报告',
    cancel: '取消',
  },

  sent: {
    wire: '线路格式',
    copyBody: '复制请求正文',
    body: '请求正文',
    bodyHint:
      '这是该格式的客户端由记录的请求生成的正文；“复制请求正文”会复制完全相同的字节。如果当时使用的是同一格式和模型，发送的就是这些内容。',
    noWires: '无法加载线路格式的代码。',
  },

  notes: {
    inFile: '文件的备注只在此页面打开期间有效。保存文件即可保留它们。',
    kept: '保存在会话旁边，并随会话一起导出。会话本身不会改变。',
  },

  compare: {
    with: '与此会话对比',
    withFile: '与文件对比',
    gone: '这里已不再保存此会话。',
  },
};
