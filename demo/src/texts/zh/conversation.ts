import type { conversationEn } from '../en/conversation.ts';
import { partsZh } from './parts.ts';

/** 对话界面的简体中文文本。 */
export const conversationZh: typeof conversationEn = {
  parts: partsZh,

  conversation: {
    label: '对话',
    review: '回放',
    reviewTitle: '逐步查看发生了什么',
    offlineChip: '离线演示',
  },

  composer: {
    cleared: (host) => `刷新页面后，${host} 的密钥已被清除。请重新输入以继续。`,
    noKeyYet: (host) => `此标签页还没有 ${host} 的密钥。`,
    enterKey: '输入密钥',
    keysLocked: 'API 密钥已锁定。',
    unlock: '解锁',
    offline: '离线演示模型',
    offlineHint: '按脚本回答，不是真正的 AI。',
    connect: '连接模型',
    mistakes: '模型会出错，重要的回答请核实。',
  },

  welcome: {
    label: '欢迎',
    title: '今天想做点什么？',
    text: '助手完全在这个标签页中运行：工具在这里执行，对话也保存在这里。',
    suggestions: '建议',
    prompts: {
      lookUp: { text: '东京现在几点？240 的 17.5% 是多少？', hint: '查询并计算' },
      note: { text: '记住给植物浇水', hint: '经你同意后保存便签' },
      walk: { text: '和我一起计划散步', hint: '会先问清需要的信息' },
      fix: { text: '修正 poem.txt 里的错字', hint: '保存前先给你看改动' },
    },
    more: '更多示例',
    morePrompts: {
      story: '讲一个关于小溪的长故事',
      formatting: '展示各种格式',
      primes: '3000 万以内有多少个质数？',
      draw: '画一条小溪',
      script: '运行一个慢脚本',
      steps: '把 3 翻倍十二次',
    },
    theatre: '故障演示',
    theatreText: '下面每一项都会故意失败，让你看看会发生什么。',
    failures: {
      limit: { text: '演示：请求过多', hint: '会自动重试' },
      cut: { text: '演示：故事中途断开', hint: '连接被切断' },
      slow: { text: '演示：很慢', hint: '一段时间内什么也没有' },
      json: { text: '演示：错误的 JSON', hint: '无法读取的工具调用' },
      credit: { text: '演示：余额不足', hint: '账户没有余额' },
      key: { text: '演示：密钥被拒绝', hint: '密钥不对' },
      cors: { text: '演示：跨域（CORS）', hint: '浏览器拦截了回答' },
      overflow: { text: '演示：上下文溢出', hint: '对话太长' },
      refusal: { text: '演示：拒绝回答', hint: '内容过滤器终止了回答' },
      network: { text: '演示：网络错误', hint: '没有任何响应' },
    },
  },

  message: {
    answerWith: '换个模型重新回答…',
    fork: '从这里另开对话',
    forkTitle: '从这里开始一个新对话',
    remove: '从这里删除',
    removeTitle: '删除这条及之后的所有消息？',
    removeText: (count) => `将从对话中移除 ${count} 条消息。`,
    removeNote: '想保留的话，请先另开对话。',
    keep: '保留',
    forked: (title) => `你现在在“${title}”的副本中`,
    backToOriginal: '回到原对话',
    pin: '固定在上下文中',
    unpin: '取消固定',
    pinTitle: '模型始终能完整看到这条消息',
    tokens: (count) => `${count} 个 token`,
    tokensTitle: (input, output, model) =>
      `输入 ${input} 个 token，输出 ${output} 个 token${model === '' ? '' : `，${model}`}`,
    fallback: '由备用模型回答',
    fallbackReason: (reason) => `所选模型失败：${reason}`,
  },

  tool: {
    function: '工具',
    unknown: '某个工具',
    inThisTab: (verdict) => `${verdict}（在本标签页）`,
    inOtherTab: (verdict, tab) => `${verdict}（在另一个标签页，${tab}）`,
    tooLateOther: (verdict, tab) => `你的决定来得太晚了：另一个标签页（${tab}）${verdict}。`,
    rule: {
      approved: '已批准，按你之前的决定',
      rejected: '已拒绝，按你之前的决定',
      forSession: '（仅此对话）',
      forAgent: '（所有对话）',
      revoked: '；此后你已撤销它',
      revoke: '撤销',
    },
    noFiles: '没有文件。',
    errors: '错误',
    exitCode: (code) => `退出码 ${code}`,
  },

  toolTitles: {
    add_note: '添加便签',
    ask_user: '提问',
    calculate: '计算',
    count_primes: '数质数',
    current_time: '查看时间',
    delete_note: '删除便签',
    draw_brook: '画小溪',
    edit_file: '编辑文件',
    list_files: '列出文件',
    list_notes: '读取便签',
    patch_file: '修改文件',
    read_file: '读取文件',
    read_skill: '读取技能',
    run_javascript: '运行 JavaScript',
    search_notes: '搜索便签',
    write_file: '写入文件',
  },

  run: {
    stepLimit: '已达到一次回答的模型请求上限。继续后可再使用同样的额度；上限可在当前对话的设置中更改。',
    openSettings: '打开设置',
    dismiss: '知道了',
    openBackup: '打开导出的文件…',
  },

  context: {
    marker: (before, after) => `对模型而言，以上内容已被概括：${before} → ${after} 个 token`,
  },

  storageStrip: {
    memory: '未保存：关闭此标签页后，这个对话会丢失。',
    failed: (reason) => `未保存：${reason} 你可以继续使用；存储恢复后，对话会立即保存。`,
    full: '未保存：此浏览器的存储空间已满。请删除不再需要的对话；有空间后，这个对话会立即保存。',
    toStorage: '打开存储设置',
    reload: '刷新页面',
    damaged: '这个对话有一部分已损坏。剩下的内容可以阅读和导出。要继续，请复制一份，或开始新对话。',
    newer: '这个对话由此页面的更新版本写入。请刷新页面再继续。',
    copy: '在副本中继续',
    newChat: '新对话',
  },

  markdown: {
    formula: '公式',
    picture: '图片',
    refusedPicture: (name) => `${name}（地址被拒绝）`,
    pictureAt: (name, host) => `${name}（图片位于 ${host}）`,
    pictureFailed: (name, host) => `无法从 ${host} 加载 ${name}`,
    loadPicture: (host) => `从 ${host} 加载图片`,
    noAddress: '没有地址',
    refusedLink: '这个地址不安全，无法链接。',
  },
};
