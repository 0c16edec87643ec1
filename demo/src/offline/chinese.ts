/** Chinese words that the offline model knows, and the English words that it reads in their place. The longer words come first. */
const words: readonly (readonly [RegExp, string])[] = [
  [/(\d[\d.]*)\s*的\s*(\d[\d.]*)\s*%/gu, ' what is $2% of $1 '],
  [/(\d+)\s*万/gu, '$10000'],
  [/把\s*(\d+)\s*翻倍\s*十二\s*次/gu, 'double $1 twelve times'],
  [/把\s*(\d+)\s*翻倍\s*(\d+)\s*次/gu, 'double $1 $2 times'],
  [/^\s*(?:请)?(?:记住|记下)[:：，]?/gu, 'Remember '],
  [/东京/gu, ' Tokyo '],
  [/上海/gu, ' Shanghai '],
  [/北京/gu, ' Beijing '],
  [/(?:现在)?几点|什么时间/gu, ' what time is it in '],
  [/拒绝回答/gu, ' refusal '],
  [/请求过多/gu, ' rate limit '],
  [/失败|演示：/gu, ' fail '],
  [/中途/gu, ' midway '],
  [/余额/gu, ' credit '],
  [/密钥/gu, ' key '],
  [/跨域/gu, ' cors '],
  [/溢出/gu, ' overflow '],
  [/网络/gu, ' network '],
  [/研究员/gu, ' researchers '],
  [/散步/gu, ' walk '],
  [/修正|改正/gu, ' fix '],
  [/错字|笔误/gu, ' typo '],
  [/故事/gu, ' story '],
  [/格式/gu, ' formatting '],
  [/质数|素数/gu, ' primes '],
  [/图表|流程图/gu, ' diagram '],
  [/网页/gu, ' html '],
  [/文件/gu, ' files '],
  [/画/gu, ' draw '],
  [/运行/gu, ' run '],
  [/慢/gu, ' slow '],
  [/脚本/gu, ' script '],
  [/便签|笔记/gu, ' notes '],
  [/删除/gu, ' delete '],
  [/显示|查看|哪些|列出/gu, ' show '],
  [/你好|您好/gu, ' hello '],
  [/谢谢|多谢/gu, ' thanks '],
];

/** Returns a Chinese message in the words that the offline model reads; any other message unchanged. */
export function fromChinese(message: string): string {
  if (!/\p{Script=Han}/u.test(message)) return message;
  const isNote = /^\s*(?:请)?(?:记住|记下)/u.test(message);
  // The text of a note stays Chinese.
  const known = isNote ? words.filter(([, english]) => english === 'Remember ') : words;
  return known.reduce((text, [word, english]) => text.replace(word, english), message).trim();
}
