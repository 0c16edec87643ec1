// How the READMEs say to install the package, before it is published and afterwards.

/** @typedef {import('./publishing.mjs').Place} Place */

const words = {
  en: {
    pack: 'Brooklet is not published on npm yet. In a clone of the repository, the folder `brooklet`, pack it:',
    createPacked: 'Then create a project that works without a key:',
    create: 'A new project that works without a key:',
    add: 'Or add Brooklet to an empty project of Vite, for the code below. A project that you have needs only `npm install`:',
    copy: 'The chat as an element, in one file: copy `node_modules/brooklet/dist/brooklet-chat.min.js`.',
    load: 'The chat as an element, in one file: copy `node_modules/brooklet/dist/brooklet-chat.min.js`, or load this version of it:',
  },
  zh: {
    pack: 'Brooklet 还没有发布到 npm。在仓库的克隆（文件夹 `brooklet`）中打包：',
    createPacked: '然后新建一个不需要密钥就能运行的项目：',
    create: '新建一个项目，不需要密钥就能运行：',
    add: '或者加入一个空的 Vite 项目，用来写下面的代码。已有的项目只需要 `npm install`：',
    copy: '聊天元素只需要一个文件：复制 `node_modules/brooklet/dist/brooklet-chat.min.js`。',
    load: '聊天元素只需要一个文件：复制 `node_modules/brooklet/dist/brooklet-chat.min.js`，或者加载它的这个版本：',
  },
};

/** On a terminal, create-vite asks two questions, and starts a server at the second one: the next command would have no terminal. */
const createEmpty = 'npm create vite@latest my-chat -- --template react-ts --no-interactive';

/** @param {string} code */
const sh = (code) => `\`\`\`sh\n${code}\n\`\`\``;

/**
 * Returns the texts by the name of their marks.
 *
 * @param {'en' | 'zh'} language
 * @param {Place | undefined} place `undefined` while the package is not published
 * @returns {Readonly<Record<'install' | 'cdn', string>>}
 */
export function installTexts(language, place) {
  const { pack, createPacked, create, add, copy, load } = words[language];
  if (place === undefined) {
    const steps = [
      [pack, sh('npm ci && npm pack    # makes brooklet-0.1.0.tgz')],
      [createPacked, sh('node create-brooklet/index.js ../my-chat\ncd ../my-chat && npm install && npm run dev')],
      [add, sh(`cd .. && ${createEmpty}\ncd my-chat && npm install ../brooklet/brooklet-0.1.0.tgz`)],
    ];
    return { install: steps.flat().join('\n\n'), cdn: copy };
  }
  const steps = [
    [create, sh('npm create brooklet@latest my-chat\ncd my-chat && npm install && npm run dev')],
    [add, sh(`${createEmpty}\ncd my-chat && npm install brooklet`)],
  ];
  const source = `https://cdn.jsdelivr.net/npm/brooklet@${place.version}/dist/brooklet-chat.min.js`;
  const tag = `<script type="module" src="${source}" integrity="${place.integrity}" crossorigin="anonymous"></script>`;
  return { install: steps.flat().join('\n\n'), cdn: `${load}\n\n\`\`\`html\n${tag}\n\`\`\`` };
}
