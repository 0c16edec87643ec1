import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../api/', import.meta.url);

/** Functions that take an object which is not their own options. */
const others: Readonly<Record<string, string>> = {
  'brooklet isCut': 'takes a state',
  'skills withSkills': 'returns the options for createAgent, which checks them',
  'react-lists SessionActions.exportSessions': 'passes its options to exportAll',
  'react-lists SessionActions.importSessions': 'passes its options to importSessions',
  'ai-sdk AISDKModel.doGenerate': 'belongs to a model of the AI SDK',
  'ai-sdk AISDKModel.doStream': 'belongs to a model of the AI SDK',
  'providers Provider.createClient': 'is the function of a wire, which checks them',
  'brooklet SessionStore.read': 'is called by the package',
  'ui ApprovalProps.onApprove': 'is a function of the page',
  'ui ApprovalProps.onReject': 'is a function of the page',
};

/** The functions that need a page: `test/react/unknown-options.test.tsx` calls them. */
export const hooks: readonly string[] = [
  'react useChat',
  'react useSession',
  'react useSuspenseSession',
  'react-lists useSessions',
  'react ChatActions.send',
];

/** Returns every public function, and method of a public object, that takes options: `<entry> <name>`, as api/ lists them. */
export function optionTakers(): readonly string[] {
  return readdirSync(folder)
    .filter((file) => file !== 'mentioned.md')
    .flatMap((file) => {
      const entry = file.replace('.md', '');
      const sections = readFileSync(new URL(file, folder), 'utf8').split('\n## ').slice(1);
      return sections.flatMap((section) => takersIn(section).map((name) => `${entry} ${name}`));
    })
    .filter((name) => !(name in others));
}

function takersIn(section: string): readonly string[] {
  const [name = ''] = section.split('\n');
  const code = /```ts\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
  if (/export declare function/.test(code))
    return /\w*Options\b|\b(options|given)\??:|\}\??: \{/.test(code.replace(/<[^(]*?>\(/, '(')) ? [name] : [];
  if (!/export (interface|type) /.test(code)) return [];
  const methods = code.matchAll(/\n {2}(?:readonly )?(\w+)\??(?:: )?(?:<[\s\S]*?>)?\([^;]*?options\??:/g);
  return Array.from(methods, ([, method]) => `${name}.${method}`);
}
