import type { DrawerTexts } from './en.ts';

/** 开发者工具的简体中文文本。 */
export const zh: DrawerTexts = {
  drawer: 'Brooklet 开发者工具',
  devtools: '开发者工具',
  tabs: { log: '日志', state: '状态', requests: '请求', review: '回放' },
  session: '会话',
  noSession: '暂无',
  copyTest: '复制为测试',
  copied: '已复制',
  notCopied: (reason) => `未能复制：${reason}`,
  close: '关闭',
  cutOff: (seq) => `日志从事件 ${seq} 开始：此会话没有存储，并且早于开发者工具。`,

  event: '事件',
  last: (shown, length) => `显示 ${length} 个中的最后 ${shown} 个；回放中有全部事件。`,
  nothing: '还没有发生任何事。',

  state: '状态',
  status: '状态',
  statuses: {
    idle: '空闲',
    running: '运行中',
    waiting: '等待决定',
    interrupted: '已中断',
    failed: '失败',
    limit: '达到上限',
  },
  storage: '存储',
  notOpen: '未在此页面中打开',
  run: '运行',
  runText: (outcome, steps) => `${outcome}，${steps} 个步骤`,

  requestsAndCalls: '请求和调用',
  requests: '请求',
  request: (number) => `请求 ${number}`,
  noRequest: '尚未发送请求。',
  step: '步骤',
  first: '首段',
  whole: '全部',
  input: '输入',
  output: '输出',
  calls: '工具调用',
  tool: '工具',
  waited: '等待',
  ran: '运行',
};
