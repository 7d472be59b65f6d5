import { useState, type FormEvent } from 'react';
import { Picture } from './accounts.js';
import type { Choice } from './connect-api.js';

/** The pages or channels of a person, of which some are to be connected. */
export function Choices({
  choices,
  onFinish,
}: {
  choices: readonly Choice[];
  onFinish(ids: readonly string[]): Promise<void>;
}) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(choices.flatMap(({ id, account }) => (account ? [id] : []))),
  );
  const [isBusy, setIsBusy] = useState(false);
  const toggle = (id: string): void =>
    setChosen((previous) =>
      previous.has(id)
        ? new Set([...previous].filter((other) => other !== id))
        : new Set([...previous, id]),
    );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setIsBusy(true);
    void onFinish([...chosen]).finally(() => setIsBusy(false));
  };
  return (
    <form className="choices" onSubmit={submit}>
      <fieldset disabled={isBusy}>
        <legend>Which accounts do you want to connect?</legend>
        {choices.map(({ id, name, kind, picture, account }) => (
          <label key={id}>
            <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
            <Picture url={picture} name={name} />
            <span>
              <bdi>{name}</bdi>
              <small>
                {kind}
                {account && ', connected before'}
              </small>
            </span>
          </label>
        ))}
      </fieldset>
      <button type="submit" disabled={isBusy || chosen.size === 0}>
        Connect {chosen.size} {chosen.size === 1 ? 'account' : 'accounts'}
      </button>
    </form>
  );
}
