import type { AllTexts } from '../en/rooms.ts';
import { conversationZh } from './conversation.ts';
import { roomsZh } from './rooms.ts';

/** 界面的简体中文文本。 */
export const zh: AllTexts = {
  locale: 'zh-CN',
  dir: 'ltr',

  common: {
    app: 'Brooklet Studio',
    cancel: '取消',
    close: '关闭',
    dismiss: '知道了',
    loading: '加载中…',
    opening: '正在打开…',
    newChat: '新对话',
    reload: '刷新页面',
    retry: '重试',
    undo: '撤销',
    untitled: '未命名',
    you: '你',
    agent: '助手',
  },

  ...conversationZh,
  ...roomsZh,

  shell: {
    skipToComposer: '跳到输入框',
    openSessions: '对话列表',
    pageTitle: (title) => `${title} — Brooklet Studio`,
    plannedLocked: (count) => `${count} 条已安排的消息在等待解锁密钥。`,
    brokenTitle: '页面出错了',
    brokenSaved: '你的对话已保存。',
    roomTitle: '这部分内容无法加载',
    roomOffline: '你当前处于离线状态，而这部分内容尚未加载过。网络恢复后请重新打开。',
    roomText: '打开页面之后，网站可能已经更新。刷新即可使用最新版本。',
    offline: '网络已断开。演示模型和已有对话仍可使用；其他模型要等网络恢复后才能回答。',
    updateReady: '新版本已就绪。',
    update: '立即更新',
    install: '安装 Brooklet Studio',
  },

  toast: {
    region: '通知',
    deleted: (title) => `已删除“${title}”`,
    restored: (title) => `已恢复“${title}”`,
    restoredMany: (sessions) => `已恢复 ${sessions} 个对话`,
    archived: (title) => `已归档“${title}”`,
    unarchived: (title) => `已将“${title}”移出归档`,
    notRestored: (title) => `“${title}”已无法恢复。`,
    exported: (sessions) => `已导出 ${sessions} 个对话`,
    notExported: (sessions) => `有 ${sessions} 个对话无法读取。`,
    imported: (sessions) => `已导入 ${sessions} 个对话`,
  },

  sessions: {
    empty: '你的对话会显示在这里，并且只保存在这个浏览器中。',
    nothingHere: '这里没有对话。',
    review: '回放',
    share: '分享链接…',
    exportOne: '导出',
    forkedFrom: (title) => `来自“${title}”`,
    waits: (call, more) => (more > 0 ? `${call} 等 ${more + 1} 项` : call),
    more: '更多操作',
    importFile: '导入…',
    exportAll: '全部导出',
    openReview: '打开回放',
    help: '键盘快捷键',
    drop: '松开即可导入文件',
    settings: '设置',
  },

  connection: {
    offline: '离线演示模型',
    offlineShort: '离线演示',
    offlineHost: '脚本，不是真正的 AI',
    browser: '浏览器的模型',
    browserHost: '在这台设备上运行',
    defaultModel: '默认模型',
    keyLocked: (host) => `${host}，密钥已锁定`,
    keyNeeded: (host) => `${host}，需要密钥`,
    at: (model, host) => `${model}（${host}）`,
    health: { refused: '密钥被拒绝，或账户没有余额', unreachable: '服务没有回答' },
  },

  chatChip: {
    open: '当前对话的设置',
    isSet: '此对话有自己的设置',
    pick: (model) => `此对话的模型：${model}`,
  },
};
