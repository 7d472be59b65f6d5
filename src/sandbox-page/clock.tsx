import { useEffect, useState } from 'react';
import type { Credentials } from '../playground/credentials.js';
import { callGateway, toLocalTime } from './call-gateway.js';

interface SandboxClock {
  readonly now: string;
  readonly advance_seconds: number;
}

/** By how many seconds each button moves the clock. */
const STEPS = [
  ['+1 minute', 60],
  ['+1 hour', 3_600],
  ['+1 day', 86_400],
] as const;

/** How far the clock is ahead, in its largest units. */
function toDuration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

/** The sandbox clock, and buttons that move it. */
export function Clock({ credentials, onMoved }: { credentials: Credentials; onMoved: () => void }) {
  const [clock, setClock] = useState<SandboxClock | null>(null);
  const [problem, setProblem] = useState('');
  const show = (reading: Promise<SandboxClock>): Promise<void> =>
    reading.then(setClock, (error: Error) => setProblem(error.message));
  useEffect(() => void show(callGateway(credentials, ['GET', '/sandbox/clock'])), [credentials]);
  const set = async (advanceSeconds: number): Promise<void> => {
    setProblem('');
    const body = { advance_seconds: advanceSeconds };
    await show(callGateway(credentials, ['PUT', '/sandbox/clock'], body));
    onMoved();
  };
  const ahead = clock?.advance_seconds ?? 0;
  return (
    <section className="clock" aria-label="Sandbox clock">
      <span>
        Sandbox clock:{' '}
        <strong>
          {ahead > 0 ? `${toDuration(ahead)} ahead, ${toLocalTime(clock!.now)}` : 'real time'}
        </strong>
      </span>
      <span className="buttons">
        {STEPS.map(([label, seconds]) => (
          <button key={label} type="button" onClick={() => void set(ahead + seconds)}>
            {label}
          </button>
        ))}
        <button type="button" disabled={ahead === 0} onClick={() => void set(0)}>
          Real time
        </button>
      </span>
      {problem && (
        <span className="problem" role="alert">
          {problem}
        </span>
      )}
    </section>
  );
}
