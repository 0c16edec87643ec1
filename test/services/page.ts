import { createStage, situations } from './situations.ts';
import { services } from './services.ts';

/** Returns the page docs/services.md: plays each situation against each service, and lists the rules with their sources. */
export async function toPage(): Promise<string> {
  const rows: string[] = [];
  for (const [situation, play] of Object.entries(situations)) {
    const counts: number[] = [];
    const refusedBy: string[] = [];
    for (const [name, spec] of Object.entries(services)) {
      const stage = await createStage(spec);
      await play(stage);
      counts.push(stage.service.requests.length);
      if (stage.service.refusals.length > 0) refusedBy.push(name);
    }
    const least = Math.min(...counts);
    const most = Math.max(...counts);
    const refused = refusedBy.length > 0 ? `, refused by ${toCode(refusedBy)}` : '';
    rows.push(`| ${situation} | ${least === most ? most : `${least} to ${most}`}${refused} |`);
  }
  return `# What services refuse

What each provider of \`brooklet/providers\` refuses, by its documentation or a public report. The clients of this package obey these rules. The strict services of the tests
(\`test/services\`), which write this page, apply them to real sessions, and to sessions that move from each service to every other one; no service was asked over the network.

${toRules()}

## Situations

Every service accepted each request of these sessions:

| situation | requests |
| --- | ---: |
${rows.join('\n')}
`;
}

/** The rules, under the services that have them: those of many services first. */
function toRules(): string {
  const users = new Map<string, string[]>();
  for (const [name, { rules }] of Object.entries(services))
    for (const { refuses, source } of rules) {
      const line = `- ${escape(refuses)} (${escape(source)})`;
      users.set(line, [...(users.get(line) ?? []), name]);
    }
  const groups = new Map<string, string[]>();
  for (const [line, names] of users) groups.set(toTitle(names), [...(groups.get(toTitle(names)) ?? []), line]);
  return [...groups].map(([title, lines]) => `## ${title}\n\n${lines.join('\n')}`).join('\n\n');
}

/** Chat completions are spoken by all services but two: those are named by what they have in common. */
function toTitle(names: readonly string[]): string {
  const others = Object.keys(services).filter((name) => name !== 'openai' && name !== 'anthropic');
  return names.length === others.length && names.every((name) => others.includes(name))
    ? 'Every service of chat completions'
    : toCode(names);
}

const toCode = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

const escape = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
