import { Chat } from '../src/Chat';

export default function Page() {
  return <Chat />;
}
