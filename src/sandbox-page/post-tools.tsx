import { useEffect, useState } from 'react';
import type { Credentials } from '../playground/credentials.js';
import { execute } from '../playground/fetcher.js';
import { callGateway } from './call-gateway.js';

/** The body of `GET /sandbox/{id}/faults`. */
interface Faults {
  readonly fail: { readonly code: string } | null;
  readonly rate_limit_seconds: number | null;
  readonly token_expired: boolean;
  readonly publish: { readonly fault: string } | null;
  readonly remove: { readonly fault: string } | null;
  readonly guarantee: string;
}

/** A button that sets a fault. */
interface FaultButton {
  readonly label: string;
  readonly body: object;
  readonly isSet: (faults: Faults) => boolean;
}

const failing = (label: string, code: string): FaultButton => ({
  label,
  body: { fail: { code } },
  isSet: ({ fail }) => fail?.code === code,
});
const publishing = (label: string, fault: string): FaultButton => ({
  label,
  body: { publish: { fault } },
  isSet: ({ publish }) => publish?.fault === fault,
});
const removing = (label: string, fault: string): FaultButton => ({
  label,
  body: { remove: { fault } },
  isSet: ({ remove }) => remove?.fault === fault,
});
const telling = (guarantee: string): FaultButton => ({
  label: guarantee,
  body: { guarantee },
  isSet: (faults) => faults.guarantee === guarantee,
});

/** What can go wrong, by the call that it affects. */
const GROUPS: readonly (readonly [title: string, buttons: readonly FaultButton[]])[] = [
  [
    'Next publication',
    [
      publishing('is rejected', 'refuse'),
      publishing('is a duplicate', 'duplicate'),
      publishing('is cut before', 'cut_before'),
      publishing('is cut after', 'cut_after'),
      publishing('fails after', 'error_after'),
      publishing('hangs before', 'hang_before'),
      publishing('hangs after', 'hang_after'),
    ],
  ],
  [
    'Next edit',
    [
      failing('is rejected', 'NETWORK_REFUSED'),
      failing('is forbidden', 'NETWORK_FORBIDDEN'),
      failing('conflicts', 'NETWORK_CONFLICT'),
      failing('network is down', 'NETWORK_UNAVAILABLE'),
      failing('post is gone', 'NETWORK_POST_DELETED'),
    ],
  ],
  [
    'Next removal',
    [
      removing('is rejected', 'refuse'),
      removing('is cut before', 'cut_before'),
      removing('is cut after', 'cut_after'),
      removing('fails before', 'error_before'),
      removing('fails after', 'error_after'),
      removing('hangs before', 'hang_before'),
      removing('hangs after', 'hang_after'),
    ],
  ],
  [
    'Account',
    [
      {
        label: 'rate limit for 10 minutes',
        body: { rate_limit_seconds: 600 },
        isSet: ({ rate_limit_seconds: seconds }) => seconds !== null,
      },
      {
        label: 'credentials are rejected',
        body: { token_expired: true },
        isSet: ({ token_expired: isExpired }) => isExpired,
      },
    ],
  ],
  ['Guarantee', [telling('exact'), telling('compared'), telling('cannot_tell')]],
];

const STATE = 'query SandboxPostState($id: ID!) { post(id: $id) { state stateReason } }';
interface PostState {
  readonly post: { readonly state: string; readonly stateReason: string } | null;
}

/** What the gateway knows of a post, and buttons for the faults of its next calls. */
function Tools({ credentials, id }: { credentials: Credentials; id: string }) {
  const [state, setState] = useState('…');
  const [faults, setFaults] = useState<Faults | null>(null);
  const [problem, setProblem] = useState('');
  const path = `/sandbox/${id}/faults`;
  const run = async (call: () => Promise<Faults | null>): Promise<void> => {
    setProblem('');
    try {
      setFaults(await call());
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  useEffect(() => {
    void run(async () => {
      const result = await execute<PostState>(credentials, { query: STATE, variables: { id } });
      const post = result.data?.post;
      setState(post ? `${post.state}. ${post.stateReason}` : 'Not in the gateway any more.');
      return post ? callGateway(credentials, ['GET', path]) : null;
    });
  }, [credentials, id]);
  return (
    <div className="tools">
      <p>
        In the gateway: {state} <a href={`/playground#post=${id}`}>Open in the playground</a>
      </p>
      {faults &&
        GROUPS.map(([title, buttons]) => (
          <p key={title} role="group" aria-label={title}>
            <span className="kind">{title}</span>
            {buttons.map(({ label, body, isSet }) => (
              <button
                key={label}
                type="button"
                aria-pressed={isSet(faults)}
                onClick={() => void run(() => callGateway(credentials, ['PUT', path], body))}
              >
                {label}
              </button>
            ))}
          </p>
        ))}
      {faults && (
        <p>
          <button
            type="button"
            onClick={() => void run(() => callGateway(credentials, ['DELETE', path]))}
          >
            Clear all faults
          </button>
          <button
            type="button"
            onClick={() =>
              void run(async () => {
                await callGateway(credentials, ['DELETE', `/sandbox/${id}`]);
                return faults;
              })
            }
          >
            Delete on the network only
          </button>
        </p>
      )}
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** Loads the tools of a post when they are opened. */
export function PostTools({ credentials, id }: { credentials: Credentials; id: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="inspect" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <code>{id}</code>
      </summary>
      {isOpen && <Tools credentials={credentials} id={id} />}
    </details>
  );
}
