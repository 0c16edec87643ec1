import { createAgent, toolParts } from 'brooklet';
import { loadSkills, withSkills } from 'brooklet/skills';
import { createScriptedClient, reply } from 'brooklet/testing';
import { strToU8, zipSync } from 'fflate';

/** Loads skills from a zip, and lets a model read them. Resolves with their names, what the model read, and why a damaged zip is refused. */
export async function readZip(): Promise<readonly unknown[]> {
  const guide = 'Fill every field. ü 二 🦦\n'.repeat(2_000);
  const bytes = zipSync({
    'forms/SKILL.md': strToU8('---\nname: forms\ndescription: Fills forms.\n---\nRead guide.md.'),
    'forms/guide.md': strToU8(guide),
  });
  const skills = await loadSkills(new File([bytes], 'skills.zip'));
  const paths = [{ skill: 'forms' }, { skill: 'forms', path: 'guide.md' }];
  const client = createScriptedClient([paths.map((path) => reply.call('read_skill', path)), [reply.text('Done.')]]);
  const agent = createAgent(withSkills({ client }, skills));
  const session = await agent.openSession(agent.createSession());
  await session.send('Read.');
  const outputs = session
    .getMessages()
    .flatMap(toolParts)
    .map(({ output }) => output);
  const damaged = await loadSkills(bytes.subarray(0, bytes.length - 40)).then(
    () => 'loaded',
    (thrown: unknown) => String(thrown),
  );
  return [skills.skills.map(({ name }) => name), outputs, damaged];
}
