// A server component: parts of `brooklet/ui` are rendered as client components, and labels pass to the browser.
import { chinese, Markdown } from 'brooklet/ui';
import 'brooklet/ui/style.css';
import { Conversation } from './conversation';

export default function Page() {
  return (
    <>
      <Markdown text="**From** a server component" />
      <Conversation labels={chinese} />
    </>
  );
}
