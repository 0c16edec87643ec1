import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type DefaultTheme } from 'vitepress';
import { entries } from '../../../scripts/manifest.mjs';
import { chineseGroups, type Group, groups, pageOf, toAnchor } from '../../../scripts/site/map.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const pages = `${root}docs/site/pages`;

const read = (source: string): string => readFileSync(`${root}${source}`, 'utf8');

/** What docs/README.md calls its pages. */
const names = new Map(
  Array.from(read('docs/README.md').matchAll(/\[([^\]]+)\]\(([\w-]+\.md)\)/g), ([, name = '', file = '']) => [
    `docs/${file}`,
    name[0]?.toUpperCase() + name.slice(1),
  ]),
);

/** The name of a page in the sidebar: that of the list of all pages, or the heading of the page. */
const titleOf = (source: string): string => names.get(source) ?? /^# (.+)$/m.exec(read(source))?.[1] ?? source;

const toSidebar = (list: readonly Group[]): DefaultTheme.SidebarItem[] =>
  list.map(({ title, pages, isCollapsed }) => ({
    text: title,
    ...(isCollapsed ? { collapsed: true } : {}),
    items: pages.map((source) => ({
      text: titleOf(source),
      link: `/${pageOf(source)?.replace(/(?:index)?\.md$/, '')}`,
    })),
  }));

const apiItems = entries.map(({ name }) => ({
  text: name,
  link: `/api/${name.split('/').slice(1).join('-') || name}`,
}));

const reference: DefaultTheme.SidebarItem[] = [
  {
    text: 'API reference',
    items: [
      { text: 'All exports', link: '/api/' },
      ...apiItems,
      { text: 'Other declarations', link: '/api/mentioned' },
    ],
  },
];

const studio = { link: '/studio/', target: '_self' };

/** Words of a text, for the index of the search: Chinese is written without spaces. */
function tokenize(text: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of new Intl.Segmenter('zh', { granularity: 'word' }).segment(text))
    if (isWordLike) words.push(segment);
  return words;
}

export default defineConfig({
  title: 'Brooklet',
  description: 'AI agents that run entirely in the browser tab.',
  base: process.env.SITE_BASE ?? '/',
  srcDir: pages,
  outDir: `${root}dist-site`,
  cacheDir: `${root}.cache/vitepress`,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${process.env.SITE_BASE ?? '/'}icon.svg` }]],
  ignoreDeadLinks: [/\/studio\//, /\/llms\.txt$/],
  markdown: { anchor: { slugify: toAnchor }, theme: { light: 'github-light-high-contrast', dark: 'github-dark' } },
  locales: {
    root: { label: 'English', lang: 'en' },
    zh: {
      label: '简体中文',
      lang: 'zh-CN',
      link: '/zh/',
      description: '完全运行在浏览器标签页里的 AI 智能体。',
      themeConfig: {
        nav: [
          { text: '快速开始', link: '/zh/getting-started' },
          { text: '文档（英文）', link: '/overview' },
          { text: 'API', link: '/api/' },
          { text: 'Studio', ...studio },
        ],
        sidebar: { '/zh/': toSidebar(chineseGroups) },
        outline: { level: [2, 3], label: '本页内容' },
        docFooter: { prev: '上一页', next: '下一页' },
        darkModeSwitchLabel: '主题',
        lightModeSwitchTitle: '切换到浅色主题',
        darkModeSwitchTitle: '切换到深色主题',
        sidebarMenuLabel: '目录',
        returnToTopLabel: '回到顶部',
        langMenuLabel: '切换语言',
        skipToContentLabel: '跳到正文',
      },
    },
  },
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'Guide', link: '/getting-started', activeMatch: '^/(?!api/|zh/|$)' },
      { text: 'API', link: '/api/', activeMatch: '^/api/' },
      { text: 'Errors', link: '/errors' },
      { text: 'Studio', ...studio },
    ],
    sidebar: { '/api/': reference, '/': toSidebar(groups) },
    outline: [2, 3],
    // Few pages are translated: the other language begins at its front page.
    i18nRouting: false,
    search: {
      provider: 'local',
      options: {
        miniSearch: { options: { tokenize } },
        locales: {
          zh: {
            translations: {
              button: { buttonText: '搜索', buttonAriaLabel: '搜索' },
              modal: {
                displayDetails: '显示详情',
                resetButtonTitle: '清除',
                backButtonTitle: '关闭搜索',
                noResultsText: '没有找到',
                footer: { selectText: '打开', navigateText: '选择', closeText: '关闭' },
              },
            },
          },
        },
      },
    },
  },
});
