import { receiveMCPSignIn } from 'brooklet/mcp';
import { getAllTexts } from '../texts/useAllTexts.ts';
import { announceSignIn } from './signInNote.ts';
import '../styles/extensions.css';

/**
 * Ends a sign-in, in the window that was opened for it: hands the answer of the authorization server to the page that began, and closes the
 * window. A window that the browser does not let close itself states that the sign-in is done.
 */
export function endSignIn(): void {
  receiveMCPSignIn();
  announceSignIn();
  const text = document.createElement('p');
  text.className = 'signed-in';
  text.textContent = getAllTexts().mcp.signedIn;
  document.getElementById('studio')?.replaceChildren(text);
}
