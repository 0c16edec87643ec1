import { createStage, situations } from './situations.ts';
import { services } from './services.ts';

/** Returns the page docs/services.md: plays each situation against each service, and lists the rules with their sources. */
export async function toPage(): Promise<string> {
  const rows: string[] = [];
  for (const [situation, play] of Object.entries(situations)) {
    const cells: string[] = [];
    for (const spec of Object.values(services)) {
      const stage = await createStage(spec);
      await play(stage);
      cells.push(stage.service.refusals.length === 0 ? String(stage.service.requests.length) : 'refused');
    }
    rows.push(`| ${situation} | ${cells.join(' | ')} |`);
  }
  const names = Object.keys(services);
  const users = new Map<string, { source: string; names: string[] }>();
  for (const [name, { rules }] of Object.entries(services))
    for (const { refuses, source } of rules) {
      const key = `${refuses}\n${source}`;
      users.set(key, { source, names: [...(users.get(key)?.names ?? []), name] });
    }
  const rules = [...users].map(
    ([key, { source, names: by }]) =>
      `| ${escape(key.split('\n')[0] ?? '')} | ${by.map((name) => `\`${name}\``).join(', ')} | ${escape(source)} |`,
  );
  return `# What services refuse

Each provider of \`brooklet/providers\` has a strict service among the tests (\`test/services\`). It refuses what the documentation of the real service, or a public
report, says that the service refuses, and it recognizes its own ids, signatures and encrypted reasoning. Real sessions go through every situation below, and
from each service to every other one and back, with reasoning, calls and pictures in the history. The tests write this page: no service was asked over the
network.

## Situations

The number of requests that the service accepted, out of as many.

| | ${names.map((name) => `\`${name}\``).join(' | ')} |
| --- |${' --- |'.repeat(names.length)}
${rows.join('\n')}

## Rules

| refuses | service | source |
| --- | --- | --- |
${rules.join('\n')}
`;
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
