import type { Viewer } from '../../domain/access/viewer.js';
import type { Job } from '../../domain/jobs/job.js';
import { PAYLOAD_FIELDS, toJobPayload, type JobPayload } from '../../domain/jobs/job-payload.js';
import type { PostStore } from '../../persistence/posts/post-store.js';

/** Reads the payload of a job for a viewer. */
export type JobPayloads = (viewer: Viewer, job: Job) => Promise<JobPayload>;

/** The posts of a creation are read for each payload: only the viewer's, as they are now (D51). */
export const createJobPayloads =
  (store: Pick<PostStore, 'findEach'>): JobPayloads =>
  async (viewer, job) => {
    const ids = (job.result?.posts ?? []).map(({ databaseId }) => databaseId);
    const lookups =
      ids.length > 0
        ? await store.findEach(
            viewer,
            ids.map((id) => ({ kind: 'database', id })),
            PAYLOAD_FIELDS,
          )
        : [];
    const posts = lookups.flatMap((lookup) => (lookup.kind === 'found' ? [lookup.post] : []));
    return toJobPayload(job, new Map(posts.map((post) => [post.databaseId, post])));
  };
