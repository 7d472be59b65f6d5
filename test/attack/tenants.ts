import type { KeyedViewer } from '../fixtures/records.js';
import { suite } from '../setup/suite.js';
import { attackedGateway, type Attacked } from './attacked.js';
import { makeOwn } from './own.js';
import { aVictim, type ForeignId, type Victim } from './victim.js';

/** Two workspaces on one gateway whose clock stands: the owner of one has nothing to do with the other, a member of both names the first in the header. */
export interface Tenants {
  readonly gateway: Attacked;
  readonly stranger: KeyedViewer;
  readonly memberOfBoth: KeyedViewer;
  readonly victim: Victim;
}

export async function twoTenants(): Promise<Tenants> {
  const gateway = await attackedGateway({ clock: { now: () => new Date('2030-06-12T08:00:00Z') } });
  const { records, owner } = gateway;
  await makeOwn(gateway, owner);
  const memberOfBoth = await records.aViewer({
    workspaceId: owner.workspace.id,
    role: 'admin',
    userId: (await records.aUser({ name: 'Both' })).id,
  });
  return { gateway, stranger: owner, memberOfBoth, victim: await aVictim(gateway, memberOfBoth) };
}

/** An answer, without what differs from one request to the next, and how often the database was asked for it. */
export interface Told {
  readonly text: string;
  readonly statements: number;
  readonly isFault: boolean;
}

const VOLATILE = new Set(['date', 'x-request-id', 'x-ratelimit-remaining']);
/** The headers that two answers to the same question share. */
export const steady = (headers: Iterable<[string, string]>): [string, string][] =>
  [...headers].filter(([name]) => !VOLATILE.has(name));

/** A label that a change makes has an id of its own. */
const withoutIds = (text: string, sent: string): string =>
  text.replaceAll(sent, '<id>').replace(/\blbl_\w{16}\b/g, '<label>');

/** What the answers to an id of the victim's and to one that nobody has differ in; each with this name before it. */
async function differences(
  name: string,
  victim: Victim,
  { kind, foreign, unknown }: ForeignId,
  answerTo: (id: string) => Promise<Told>,
): Promise<string[]> {
  const ask = async (): Promise<readonly [Told, Told]> => [
    await answerTo(foreign),
    await answerTo(unknown),
  ];
  const once = await ask();
  // What a process remembers for a while it reads at the first question, whichever that is about.
  const [theirs, nobodys] = once[0].statements === once[1].statements ? once : await ask();
  const isTold = withoutIds(theirs.text, foreign) !== withoutIds(nobodys.text, unknown);
  return [
    ...victim.leaksIn(theirs.text, foreign).map((leak) => `${name}: ${kind}: shows ${leak}`),
    ...(isTold ? [`${name}: ${kind}`] : []),
    ...(!isTold && theirs.statements !== nobodys.statements
      ? [`${name}: ${kind}: ${theirs.statements} statements, not ${nobodys.statements}`]
      : []),
    ...(theirs.isFault || nobodys.isFault ? [`${name}: ${kind}: a fault`] : []),
  ];
}

interface Asking<Place> {
  /** What a place answers to an id. */
  readonly answerOf: (place: Place) => (id: string) => Promise<Told>;
  /** Whether ids belong there. In `npm test` other places get an eighth of the kinds; they take turns. */
  readonly takesIds: (place: Place) => boolean;
}

/** The differences in all these places, for every kind of id. */
export async function differencesIn<Place extends { readonly name: string }>(
  places: readonly Place[],
  victim: Victim,
  { answerOf, takesIds }: Asking<Place>,
): Promise<string[]> {
  const isTurn = (place: Place, at: number, kind: number): boolean =>
    suite.form !== 'short' || takesIds(place) || (at + kind) % 8 === 0;
  const all: string[] = [];
  for (const [at, place] of places.entries()) {
    for (const [kind, id] of victim.ids.entries())
      if (isTurn(place, at, kind))
        all.push(...(await differences(place.name, victim, id, answerOf(place))));
  }
  return all.sort();
}
