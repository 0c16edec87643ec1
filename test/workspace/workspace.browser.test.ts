import { createAgent, toolParts } from 'brooklet';
import { loadSkills } from 'brooklet/skills';
import { createScriptedClient, reply } from 'brooklet/testing';
import { createWorkspaceTools, openWorkspace, previewChange, undoChange } from 'brooklet/workspace';
import { expect, it } from 'vitest';
import { run } from '../tools/run.ts';

it('works in the private file system of a real browser', async () => {
  const name = `workspace-${crypto.randomUUID()}`;
  const directory = (): Promise<FileSystemDirectoryHandle> => openWorkspace(name);
  const tools = createWorkspaceTools({ directory });
  const [list, read, write, patch] = tools;
  if (!list || !read || !write || !patch) throw new Error('a tool is missing');
  await run(write, { path: 'notes/a.md', content: 'one' });
  const { output } = await run(read, { path: 'notes/a.md' });
  const hash = JSON.stringify(output).slice(7, 23);

  // Two tabs change the version that both have read.
  const [, , , otherPatch] = createWorkspaceTools({ directory });
  const edits = [{ old_text: 'one', new_text: 'two' }];
  const both = await Promise.allSettled(
    [patch, otherPatch ?? patch].map((tool) => run(tool, { path: 'notes/a.md', hash, edits })),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  await expect(run(write, { path: 'notes', content: 'x' })).rejects.toThrow('is a file, or the file is a folder');
  await expect(run(read, { path: '../a' })).rejects.toThrow('..');

  const second = JSON.stringify((await run(read, { path: 'notes/a.md' })).output).slice(7, 23);
  const client = createScriptedClient([
    [reply.call('write_file', { path: 'notes/a.md', content: 'three', hash: second })],
    [reply.text('Done.')],
  ]);
  const agent = createAgent({ client, tools });
  const session = await agent.openSession(agent.createSession());
  const sent = session.send('Go.');
  await expect.poll(() => session.getStatus()).toBe('waiting');
  const [asked] = session.getMessages().flatMap(toolParts);
  if (!asked) throw new Error('no call');
  expect(await previewChange(asked, { directory })).toMatchObject({ oldContent: 'two', newContent: 'three' });
  await session.approve(asked.callId);
  await sent;
  const [done] = session.getMessages().flatMap(toolParts);
  if (!done) throw new Error('no call');
  expect(done.details).toMatchObject({ type: 'diff', oldContent: 'two', newContent: 'three' });
  await undoChange(done, { directory });
  expect((await run(read, { path: 'notes/a.md' })).output).toContain('two');
  expect((await run(list, {})).output).toEqual({ files: [{ path: 'notes/a.md', bytes: 3 }] });

  await run(write, { path: 'forms/SKILL.md', content: '---\nname: forms\ndescription: Fills forms.\n---\nBody' });
  expect((await loadSkills(await directory())).skills).toMatchObject([{ name: 'forms' }]);
  const root = await navigator.storage.getDirectory();
  await root.removeEntry(name, { recursive: true });
});
