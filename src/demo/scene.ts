import {
  labelKey,
  type Account,
  type Attachment,
  type Label,
  type UserSummary,
} from '../domain/posts/post.js';
import type { Workspace } from '../domain/access/viewer.js';
import type { Ids } from '../services/ports.js';
import { MAIN, PEOPLE, type DemoWorkspace, type Part } from './cast.js';
import { LABELS, MEDIA, MEDIA_ROOT } from './library.js';

/** One workspace of the demo with the records that its posts refer to. */
export interface Scene {
  workspace: Workspace;
  users: Readonly<Record<Part, UserSummary>>;
  accounts: readonly Account[];
  labels: readonly Label[];
  media: readonly (Attachment & { inLibrary: boolean })[];
}

export const usersOf = (ids: Ids): Record<Part, UserSummary> =>
  Object.fromEntries(
    Object.entries(PEOPLE).map(([part, { name }]) => [
      part,
      { id: ids.prefixed('usr'), name, picture: picture(part) },
    ]),
  ) as Record<Part, UserSummary>;

/** The scene of a workspace; its id is given, so that a reset can keep it. */
export function sceneOf(plot: DemoWorkspace, id: string, users: Scene['users'], ids: Ids): Scene {
  const { name, timeZone, requiresApproval, owner } = plot;
  const folder = plot === MAIN ? MEDIA_ROOT : `${MEDIA_ROOT}lindenhof/`;
  return {
    users,
    workspace: {
      id,
      name,
      picture: picture(id),
      timeZone,
      requiresApproval,
      plan: PEOPLE[owner].plan,
    },
    accounts: plot.accounts.map(({ name: shown, network, type, handle, needsReauth = false }) => ({
      id: ids.prefixed('acc'),
      name: shown,
      network,
      type,
      socialId: handle,
      needsReauth,
      sandbox: true,
      picture: picture(handle.replace(/\W+/g, '-')),
    })),
    labels: [...LABELS]
      .sort((a, b) => (labelKey(a.name) < labelKey(b.name) ? -1 : 1))
      .map((label) => ({ id: ids.prefixed('lbl'), ...label })),
    media: MEDIA.map(({ type, file, title, altText, inLibrary }) => ({
      id: ids.prefixed('med'),
      type,
      url: folder + file,
      title,
      altText,
      inLibrary,
      defaultThumbnail: null,
      thumbnails: null,
      userTags: [],
      collaboratorTags: [],
      productTags: [],
    })),
  };
}

const picture = (name: string): string => `${MEDIA_ROOT}faces/${name}.png`;
