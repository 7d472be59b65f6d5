import { useState, type FormEvent, type ReactNode } from 'react';
import type { Credentials } from './credentials.js';

interface KeyBarProps {
  readonly credentials: Credentials;
  /** User of the key, or the reason why the key was rejected. */
  readonly children: ReactNode;
  onConnect(credentials: Credentials): void;
}

/** Characters that a header value can contain, checked by the browser before anything is sent. */
const HEADER_VALUE = {
  pattern: '\\s*[!-~]+\\s*',
  title: 'Only ASCII characters, without spaces',
} as const;

/** Form for the API key and the workspace ID, which every request contains. */
export function KeyBar({ credentials, children, onConnect }: KeyBarProps) {
  const [apiKey, setApiKey] = useState(credentials.apiKey);
  const [workspaceId, setWorkspaceId] = useState(credentials.workspaceId);
  const connect = (event: FormEvent): void => {
    event.preventDefault();
    onConnect({ apiKey: apiKey.trim(), workspaceId: workspaceId.trim() });
  };
  return (
    <form className="key-bar" onSubmit={connect}>
      <strong>Posts Gateway</strong>
      <label>
        Key{' '}
        <input
          className="secret"
          name="apiKey"
          value={apiKey}
          onChange={({ target }) => setApiKey(target.value)}
          placeholder="spk_live_…"
          {...HEADER_VALUE}
          required
          autoComplete="off"
          spellCheck={false}
        />
      </label>
      <label>
        Workspace{' '}
        <input
          name="workspaceId"
          value={workspaceId}
          onChange={({ target }) => setWorkspaceId(target.value)}
          placeholder="wks_…"
          {...HEADER_VALUE}
          autoComplete="off"
          spellCheck={false}
        />
      </label>
      <button type="submit">Connect</button>
      {children}
      <a href="/docs">REST API docs</a>
    </form>
  );
}
