import type { NotificationStore } from '../../services/jobs/job-ports.js';
import type { Database } from '../database.js';

/** Reads notifications for delivery. */
export const createNotificationStore = ({ prisma }: Database): NotificationStore => ({
  async findMessage(id) {
    const row = await prisma.notification.findUnique({
      where: { id },
      select: {
        id: true,
        kind: true,
        createdAt: true,
        workspaceId: true,
        userId: true,
        post: { select: { docId: true } },
      },
    });
    if (!row) return null;
    const { post, ...note } = row;
    return { ...note, postId: post?.docId ?? null };
  },
});
