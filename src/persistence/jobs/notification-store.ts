import type { NotificationStore } from '../../services/jobs/notification-ports.js';
import type { PrismaClient } from '../prisma/client.js';

/** Notifications as they are delivered. */
export const createNotificationStore = (prisma: PrismaClient): NotificationStore => ({
  async note(id) {
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
