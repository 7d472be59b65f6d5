/** A request that asks to be worked at: exactly one of both is called, once. */
interface Visit {
  begin(): void;
  /** It has waited in vain. */
  refuse(): void;
}

/** Stands before the doors: as many requests as a process does well at once go on, the others wait a moment for their turn. */
export interface WaitingRoom {
  /** Gives what has to be called when the request is over, however it ended. */
  enter(visit: Visit): () => void;
}

/** Longer than a crowd of some hundred takes to be served, and short enough for whoever then asks elsewhere. */
const PATIENCE_MS = 500;
const LOOK_MS = 50;

interface Waiting extends Visit { readonly since: number; isIn: boolean }

/**
 * Sheds what is too much (D41). Whoever came last is let in first: where more come than can be served, those who are
 * served have hardly waited, and the others hear of it after half a second. First come, first served would make
 * everybody wait as long as anybody can.
 */
export function createWaitingRoom(mostAtWork: number): WaitingRoom {
  const waiting: Waiting[] = []; // since longest first
  let atWork = 0;
  let looking: NodeJS.Timeout | undefined;

  function leave(): void {
    atWork -= 1;
    const next = waiting.pop();
    if (!next) return;
    atWork += 1;
    next.isIn = true;
    next.begin();
  }

  function wait(visit: Visit): () => void {
    const one: Waiting = { ...visit, since: performance.now(), isIn: false };
    waiting.push(one);
    looking ??= setInterval(look, LOOK_MS).unref();
    return () => {
      const place = waiting.indexOf(one);
      if (one.isIn) leave();
      else if (place >= 0) waiting.splice(place, 1);
    };
  }

  function look(): void {
    const now = performance.now();
    while (waiting[0] && now - waiting[0].since > PATIENCE_MS) waiting.shift()!.refuse();
    if (waiting.length > 0) return;
    clearInterval(looking);
    looking = undefined;
  }

  return {
    enter(visit) {
      if (atWork >= mostAtWork) return wait(visit);
      atWork += 1;
      visit.begin();
      return leave;
    },
  };
}
