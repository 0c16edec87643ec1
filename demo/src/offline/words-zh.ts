import type { OfflineWords } from './words.ts';

const abilities = `我只是一段小脚本，不是真正的模型，但我调用的工具都是真的：

- **时间**，本地或其他地方：“东京现在几点？”
- **算术**：“240 的 17.5% 是多少？”
- **便签**，保存在这个浏览器中：“记住给植物浇水”“查看我的便签”。修改需要你同意。
- **文件**：“修正 poem.txt 里的错字”。改动之前会先给你看。
- **向你提问**：“和我一起计划散步”
- **较长的工作**：“3000 万以内有多少个质数？”“运行一个慢脚本”（运行时可以刷新页面）“画一条小溪”

想试试页面本身，可以让我**讲一个长故事**（然后停止它、再发一条消息，或刷新页面）、**展示各种格式**、**画一张图表**、**写一个网页**、**把 3 翻倍十二次**（步骤多于一次运行的上限），或**演示故障**。

想要真正的回答，请在*设置*中连接模型：密钥只留在这个标签页中。`;

const story = `# 小溪流向哪里

山的高处，在一块自冰川退去后再没人挪动过的石头下面，有一眼泉。它看上去不像任何事物的开端，一只手就能盖住它。周围的青苔绿得只有那里才有；清晨，上面浮着一层薄雾，仿佛山在呼吸。

## 最初的一百米

起初，水并不知道自己是一条小溪。坡往哪儿走，它就往哪儿去。它绕过一丛草，又与自己重逢，在一条树根前犹豫片刻，然后，因为别无他法，便翻了过去。全部的本领不过如此：*不要和山争辩*。

> 小溪是雨水起头、大海收尾的一句话。

这里发生着三件小事，而且一直在发生：

1. 一片叶子落下，转上两圈，动身去一个没听说过的国度。
2. 一只鹡鸰站在最平的石头上，向每一个人鞠躬。
3. 阳光穿过桤木，像硬币一样洒下，水立刻把它们花光。

## 穿过村庄

到了磨坊，小溪已经学会了有用。它转动一只不再磨面的水轮；孩子们一直给它上油，因为会转的轮子总比不转的好。在桥下，它换了一种嗓音。夜里过桥的人会在那里放慢脚步，却说不出为什么。

在菜园里，它被一桶一桶地借走，几周之后变成豆子还回来。九号的老人每个星期天都用一根棍子量它的深浅，棍子上每一道刻痕是他记得的一年。大旱的那个夏天他一道也没刻，多雨的那年，棍子不够长了。

## 草地

然后山谷敞开，再也不必着急。小溪在草地上画着弯，就像你一边想着要说什么，一边在信纸的边上随手画。苍鹭站在弯处，像一个个逗号。它抄了近道的地方留下一汪静水，水里有天空，天空里倒立着一头牛。

你可以说它在这里虚度时光。但看看这片草：正是*因为*水拿不定主意，草地才这样宽、这样绿。

## 出去

在最后几棵柳树下，它遇到了河。没有任何仪式。有一块田那么长的路，它们并肩流着，一条清，一条浊；再往后就分不出谁是谁了。河没有察觉自己变大，小溪也没有察觉自己已经不在。

而在高处的石头下面，泉水才刚刚开始。
`;

const formatting = `## 回答可以是什么样子

文字可以**加粗**、*强调*、~~删去~~，或是 \`原样\`。链接会显示它通向哪里：[Markdown 指南](https://commonmark.org/help/)。会运行代码的链接不会提供：[点我](javascript:alert(1))。

| 接口 | 流式 | 调用工具 |
| --- | :-: | --: |
| 聊天补全 | 是 | 是 |
| 这段脚本 | 是 | 是 |

\`\`\`ts
const agent = createAgent({ client, tools, store: createIndexedDBStore() });
const session = agent.createSession();
agent.chat(session, '你好').subscribe((output) => console.log(output.content));
\`\`\`

小溪从高度 $h$ 落下所需的时间是 $t = \\sqrt{2h/g}$，不管要花多少钱：$5 还是 $6。它全部的水是

$$
V = \\int_{t_0}^{t_1} \\! \\left( \\sum_{i=1}^{n} A_i \\, v_i(t) \\right) \\mathrm{d}t
$$

- [x] 一块一块地绘制
- [ ] 别处的图片只有你同意才会加载：

![一张占位图片](https://placehold.co/480x160/png)

> 原始 HTML 仍是文字：<b onclick="alert(1)">像这样</b>。
`;

/** 离线模型所说所问的简体中文文本。 */
export const wordsZh: OfflineWords = {
  locale: 'zh-CN',
  abilities,
  story,
  formatting,
  greeting: `你好！${abilities}`,
  thanks: '不客气。',
  done: '完成了。',
  notUnderstood: `我没听懂。${abilities}`,
  slow: '如你所愿，花了一会儿时间。你随时都可以停止它。',
  refusal: '我还是不说为好',
  together: '我一起查。',
  diagram: `一条小溪，从泉水到河：

\`\`\`mermaid
flowchart LR
  spring([泉水]) --> mill[磨坊]
  mill --> fork{水多吗？}
  fork -->|多| meadow[草地]
  fork -->|少| garden[菜园]
  meadow --> river([河])
  garden --> river
\`\`\`
`,
  page: `这是一个会计数的网页。在侧边打开就能使用。

\`\`\`html
<!doctype html>
<title>苍鹭</title>
<style>
  body { font: 1.25rem system-ui; display: grid; place-content: center; gap: 1rem; min-height: 90vh; text-align: center }
  button { font: inherit; padding: 0.5em 1em }
</style>
<p>看到的苍鹭：<output>0</output></p>
<button>又一只</button>
<script>
  const count = document.querySelector('output');
  document.querySelector('button').onclick = () => { count.value = Number(count.value) + 1; };
</script>
\`\`\`
`,
  thought: (_tools, more) => `用户想要的事可以用工具完成。${more}`,
  independent: '这些调用互不依赖，所以我一次全部请求。',
  thoughts: {
    current_time: '我自己无法知道时间，所以去查。',
    calculate: '计算胜过猜测。',
    list_notes: '我得先读便签。',
    add_note: '保存会改变这个浏览器中的便签，所以要先得到用户同意。',
    delete_note: '删除无法撤销，所以要先得到用户同意。',
    list_files: '我得看看有哪些文件。',
    read_file: '修改之前我得先读文件。',
    edit_file: '我知道该改什么。用户会先看到改动。',
    count_primes: '这需要一会儿，工具会报告进度。',
    draw_brook: '用图画最清楚。',
    run_javascript: '在沙箱里，脚本不会造成损害。',
    ask_researcher: '有两个问题，所以我同时请两位研究员。',
    ask_user: '只有用户知道，所以我来问。',
  },
  fails: {
    credit: '离线演示返回 402：账户没有余额（按你的要求）。',
    overflow: '离线演示返回 400：对话太长（按你的要求）。',
    cors: '离线演示假装浏览器拦截了回答：服务器不允许此页面（CORS）。请在服务器上允许它的来源。',
    refused: '离线演示返回 401：密钥被拒绝（按你的要求）。请在设置中检查。',
    limit: '离线演示返回 429：请求过多（按你的要求）。',
    network: '离线演示假装没有任何响应（按你的要求）。请重试。',
  },
  afterLimit: '现在成功了，你什么都不用做。',
  afterJSON: '那次调用的输入不是 JSON，所以工具没有运行。真正的模型现在会更正它。',
  afterFailure: '这次成功了：*重试*就是为此准备的。',
  calls: {
    researched: (task, answer) => `关于“${task}”，研究员说：${answer}`,
    rejected: (name, reason) => `你拒绝了 \`${name}\`${reason === '' ? '' : `（“${reason}”）`}，所以什么也没做。`,
    expired: (name) => `\`${name}\` 没有及时得到决定，所以什么也没做。`,
    cancelled: (name) => `\`${name}\` 已停止。`,
    uncertain: (name) => `不知道 \`${name}\` 是否运行过：运行时页面被关闭或刷新了。再次请求之前请先检查。`,
    failed: (name, output) => `\`${name}\` 失败：${output}`,
    time: (time, weekday, date, zone) => `现在是 **${time}**，${date}，${weekday}（${zone}）。`,
    result: (expression, result) => `\`${expression}\` 等于 **${result}**。`,
    noNotes: '你还没有便签。试试“记住给植物浇水”。',
    notes: (list) => `你的便签：\n\n${list}`,
    note: (text, id) => `- ${text}（便签 ${id}）`,
    saved: (text, isChanged) => `已保存${isChanged ? '（含你的修改）' : ''}：“${text}”。`,
    deleted: (text) => `已删除便签“${text}”。`,
    files: (count) => `共有 ${count} 个文件。`,
    fixed: (path) => `我已修正 \`${path}\`。`,
    primes: (primes, below) => `${below} 以内有 **${primes}** 个质数。`,
    drawn: '这就是我想象中的样子。',
    ran: (result) => `已运行，返回 \`${result}\`。`,
    returned: (name, output) => `\`${name}\` 返回 ${output}`,
    unreadNotes: '我无法读取你的便签，所以什么也没删除。',
    nothingToDelete: '你没有便签，没有可删除的。',
    noSuchNote: (which, list) => `没有关于“${which}”的便签。你有：\n\n${list}`,
    noMistake: '我在 `poem.txt` 里没有找到错误。',
    pleased: (name) => `很高兴认识你，${name}。`,
    noTool: (name) => `我没有工具 \`${name}\`。`,
  },
  walk: {
    way: '我们走哪条路？',
    ways: ['逆流而上，去泉水', '顺流而下，去河边', '沿着草地走'],
    details: '散步前我需要知道什么？',
    day: '哪一天？',
    days: ['星期五', '星期六', '星期日'],
    people: '有几个人来？',
    picnic: '带上野餐',
    extra: '还有别的吗？',
    name: '你叫什么名字？',
    settled: (way, day) => `那就定了：${day}，**${way}**。`,
    us: (people) => `${people} 个人，九点，在磨坊旁`,
    withPicnic: '篮子里带着野餐',
    withoutPicnic: '不带野餐，路上有家小店',
    and: (extra) => `还有：${extra}`,
  },
  script: {
    counting: '正在数苍鹭…',
    day: (day) => `第 ${day} 天`,
    end: '水已经流到磨坊了。',
  },
};
