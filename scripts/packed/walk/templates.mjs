// The start of a newcomer with a template of create-brooklet: the commands of the README, and the page that the development server shows.

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { approveNote, scriptedReply } from '../chat-page.mjs';
import { root } from '../../manifest.mjs';
import { findCommand } from '../project.mjs';
import { visit } from '../sites.mjs';
import { startBy } from './readme-steps.mjs';
import { openShell } from './shell.mjs';

/** What a person does in each template. */
export const approve = { more: approveNote, reply: scriptedReply };

/** How the README names the command: in a clone, and once it is on npm. */
const itsCommand = /^(?:node create-brooklet\/index\.js|npm create brooklet@latest) (\S+)$/;

/**
 * Creates a project as the README says, by the packed create-brooklet with the packed package, starts it and uses its page. Resolves with the folder of the project.
 *
 * @param {string} folder
 * @param {string} template
 * @param {import('../consumers.mjs').Stage} stage
 */
export async function startTemplate(folder, template, stage) {
  const command = await findCommand(stage.temporary);
  const clone = join(folder, 'brooklet');
  mkdirSync(clone, { recursive: true });
  const shell = openShell(clone, (line) => {
    const [, project] = itsCommand.exec(line) ?? [];
    if (project === undefined) return line.split(' ');
    return [process.execPath, command, project, '--template', template, '--package', stage.tarball];
  });
  try {
    for (const step of startBy('create-brooklet/index.js', readFileSync(join(root, 'README.md'), 'utf8'))) {
      const url = step.do === 'run' ? await shell.run(step.command) : undefined;
      if (url !== undefined) await visit(stage.browser, url, approve);
    }
  } finally {
    shell.close();
  }
  return shell.getFolder();
}
