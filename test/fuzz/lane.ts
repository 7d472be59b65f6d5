import type fc from 'fast-check';
import type { Answer, Sender } from './ask.js';
import type { World } from './world.js';

/** One kind of nonsense: what is asked, and what an answer has to keep to. */
export interface Lane<Asked = never> {
  readonly name: string;
  /** How many of a hundred requests. */
  readonly share: number;
  asked(world: World): fc.Arbitrary<Asked>;
  /** Asks, and holds the answer to what it promises. @throws Error that says what it broke; @returns what it came to in a word or two, for the figures */
  hold(asked: Asked, place: Place): Promise<string>;
}

export interface Place {
  readonly world: World;
  readonly url: string;
  readonly send: Sender;
}

/** @throws Error for a fault of ours */
export function assertNoFault({ status, text }: Pick<Answer, 'status' | 'text'>): void {
  if (status >= 500) throw new Error(`status ${status}: ${text}`);
}
