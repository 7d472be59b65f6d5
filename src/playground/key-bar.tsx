import type { FormEvent, ReactNode } from 'react';
import type { WorkspaceChoice } from './connect.js';
import type { Credentials } from './credentials.js';

interface KeyBarProps {
  /** What is entered. */
  readonly credentials: Credentials;
  /** Workspaces to choose from; if there are none, the ID can be typed. */
  readonly workspaces: readonly WorkspaceChoice[];
  /** The user of the key, or the reason why the key was rejected. */
  readonly children: ReactNode;
  onChange(credentials: Credentials): void;
  onConnect(credentials: Credentials): void;
}

/** Characters that a header value can contain, checked by the browser before anything is sent. */
const HEADER_VALUE = {
  pattern: '\\s*[!-~]+\\s*',
  title: 'Only ASCII characters, without spaces',
} as const;

/** Form for the API key and the workspace, which every request contains. */
export function KeyBar({ credentials, workspaces, children, onChange, onConnect }: KeyBarProps) {
  const { apiKey, workspaceId } = credentials;
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
          onChange={({ target }) => onChange({ apiKey: target.value, workspaceId })}
          placeholder="spk_live_…"
          {...HEADER_VALUE}
          required
          autoComplete="off"
          spellCheck={false}
        />
      </label>
      <label>
        Workspace{' '}
        {workspaces.length > 0 ? (
          <select
            name="workspaceId"
            value={workspaceId}
            onChange={({ target }) => onConnect({ apiKey, workspaceId: target.value })}
          >
            {workspaces.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        ) : (
          <input
            name="workspaceId"
            value={workspaceId}
            onChange={({ target }) => onChange({ apiKey, workspaceId: target.value })}
            placeholder="wks_…"
            {...HEADER_VALUE}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </label>
      <button type="submit">Connect</button>
      {children}
      <a href="/docs">REST API docs</a>
    </form>
  );
}
