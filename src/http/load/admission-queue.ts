/** A request that asks to be worked at: one of both is called, once; neither where it is over before its turn. */
interface Visit {
  begin(): void;
  /** It has waited in vain. */
  refuse(): void;
}

/** Stands before the doors: as many requests as a process does well at once go on, the others wait a moment for their turn. */
export interface WaitingRoom {
  /** Gives what has to be called when the request is over, however it ended. */
  enter(visit: Visit): () => void;
  /** A connection was taken, and more may stand behind it. */
  makeWay(): void;
}

/** Longer than a machine that is short of breath needs to catch up, and short enough for whoever then asks elsewhere. */
const PATIENCE_MS = 1_500;
/** In a crowd too first come is first served as long as nobody has waited for longer. */
const FAIR_MS = 300;
const LOOK_MS = 50;
/** There is room for so many times as many as are at work: more would not be served within PATIENCE_MS, and each keeps a connection. */
const PLACES = 8;
/**
 * Of so many turns of the event loop that took a connection one begins a request. Where all began what they could, a turn
 * would take as long as all that came during the one before it, and a crowd would come in by some hundred a second.
 */
const TURNS_EACH = 8;

interface Waiting extends Visit {
  readonly since: number;
  isIn: boolean;
}

/**
 * Sheds what is too much (D41). First come is first served while there is room for all who come, so that a process that
 * falls behind for a second or two refuses nobody. Where somebody has to be refused there is a crowd, and first come,
 * first served would make everybody wait as long as anybody can: until it is gone whoever came last is let in first, so
 * that those who are served have hardly waited, and the others hear of it after a moment.
 *
 * A process takes one connection in a turn of its event loop (libuv), and a turn lasts as long as the work in it: of a
 * crowd that connects while it works, many would stand outside for seconds, where nobody can answer them. So while
 * each turn takes a connection, little is begun: turns are short, and some thousand a second come in.
 */
export function createWaitingRoom(mostAtWork: number): WaitingRoom {
  const waiting: Waiting[] = []; // since longest first
  let atWork = 0;
  let looking: NodeJS.Timeout | undefined;
  let calling: NodeJS.Immediate | undefined;
  let isCrowd = false;
  let isMakingWay = false;
  let turns = 0;

  function begin(visit: Visit): void {
    atWork += 1;
    visit.begin();
  }

  function leave(): void {
    atWork -= 1;
    if (!calling) call();
  }

  function call(most = Infinity): void {
    for (let called = 0; called < most && atWork < mostAtWork && waiting[0]; called += 1) {
      const next =
        isCrowd && performance.now() - waiting[0].since > FAIR_MS
          ? waiting.pop()!
          : waiting.shift()!;
      next.isIn = true;
      begin(next);
    }
    isCrowd &&= waiting.length > 0;
  }

  function refuseOldest(): void {
    isCrowd = true;
    waiting.shift()!.refuse();
  }

  function endTurn(): void {
    const hasMadeWay = isMakingWay;
    isMakingWay = false;
    calling = hasMadeWay ? setImmediate(endTurn) : undefined;
    if (!hasMadeWay) call();
    else if (++turns % TURNS_EACH === 0) call(1);
  }

  function wait(visit: Visit): () => void {
    const one: Waiting = { ...visit, since: performance.now(), isIn: false };
    waiting.push(one);
    if (waiting.length > PLACES * mostAtWork) refuseOldest();
    looking ??= setInterval(look, LOOK_MS).unref();
    return () => {
      const place = waiting.indexOf(one);
      if (one.isIn) leave();
      else if (place >= 0) waiting.splice(place, 1);
    };
  }

  function look(): void {
    const now = performance.now();
    while (waiting[0] && now - waiting[0].since > PATIENCE_MS) refuseOldest();
    if (waiting.length > 0) return;
    clearInterval(looking);
    looking = undefined;
  }

  return {
    enter(visit) {
      if (calling || atWork >= mostAtWork) return wait(visit);
      begin(visit);
      return leave;
    },
    makeWay() {
      isMakingWay = true;
      calling ??= setImmediate(endTurn);
    },
  };
}
