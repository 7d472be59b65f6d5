import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, ID, Resolver, Root, Subscription } from 'type-graphql';
import { viewerOf } from '../../domain/access/workspace-access.js';
import type { EventType } from '../../domain/events/event-types.js';
import { STREAM_LIMITS } from '../../domain/events/stream-limits.js';
import type { LiveEvent } from '../../services/events/live-event.js';
import type { EventStream, StreamedEvent } from '../../services/events/live-events.js';
import type { GatewayContext } from '../context.js';
import { EventTypeEnum } from '../enums.js';
import { JobObject } from '../job/job.type.js';
import { RequiresScopes } from '../requires-scopes.js';
import { eventPostFields } from '../selection/selection.js';
import { EventObject } from './event.type.js';

/** A subscription to `events`, as graphql-js starts it. */
interface EventsSubscription {
  readonly args: {
    readonly types?: readonly EventType[] | null;
    readonly accountIds?: readonly string[] | null;
    readonly after?: string | null;
  };
  readonly context: GatewayContext;
  readonly info: GraphQLResolveInfo;
}

const openStream = ({ args, context, info }: EventsSubscription): Promise<EventStream> =>
  context.services.liveEvents.open(viewerOf(context.authentication), {
    types: args.types ?? null,
    accountIds: args.accountIds ?? null,
    after: args.after ?? null,
    lastEventId: context.lastEventId || null,
    fields: eventPostFields(context, info),
  });

@Resolver(() => EventObject)
export class EventResolver {
  @Subscription(() => EventObject, {
    description:
      'Events of the workspace as they happen, each once and in order. Sent as server-sent events: the header `Accept` has to contain `text/event-stream`. Requires scope POSTS_READ.',
    subscribe: openStream,
  })
  @RequiresScopes([['posts:read']])
  events(
    @Root() { event }: StreamedEvent,
    @Arg('types', () => [EventTypeEnum], {
      nullable: true,
      description: 'Only events of these types.',
    })
    _types: readonly EventType[] | null | undefined,
    @Arg('accountIds', () => [ID], {
      nullable: true,
      description: `Only events of these accounts and their posts, at most ${STREAM_LIMITS.accountIds}.`,
    })
    _accountIds: readonly string[] | null | undefined,
    @Arg('after', () => String, {
      nullable: true,
      description:
        '`cursor` of an event, or `nextCursor` of a page of changes: the stream continues there. If omitted, it starts with the present. A modified cursor is rejected with BAD_USER_INPUT. A cursor that is older than 30 days, or from before the restore of a backup, is rejected with CURSOR_EXPIRED.',
    })
    _after: string | null | undefined,
  ): LiveEvent {
    return event;
  }

  @FieldResolver(() => JobObject, {
    nullable: true,
    description: 'Job that the event is about. Null for other events.',
  })
  job(@Root() { type, recordId }: LiveEvent, @Ctx() { loaders }: GatewayContext) {
    return type === 'job.finished' && recordId !== null ? loaders.job.load(recordId) : null;
  }
}
