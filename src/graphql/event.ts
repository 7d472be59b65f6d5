import {
  Field,
  ID,
  Int,
  ObjectType,
  Arg,
  Ctx,
  FieldResolver,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { type ApiKind, viewerOf } from '../domain/access/viewer.js';
import type { EventType } from '../domain/events/event.js';
import type { PostState } from '../domain/posts/states.js';
import { ApiKindEnum, EventTypeEnum, PostStateEnum, DateTime } from './schema/enums.js';
import { RequiresScopes } from './schema/field-decorators.js';
import { PostObject } from './post/post.type.js';
import { UserObject } from './workspace.js';
import { STREAM_LIMITS } from '../domain/events/stream-limits.js';
import type { LiveEvent } from '../services/events/live-event.js';
import type { EventStream, StreamedEvent } from '../services/events/live-events.js';
import type { GatewayContext } from './context.js';
import { JobObject } from './job.js';
import { optional } from './schema/descriptions.js';
import { eventPostFields } from './document/look-ahead.js';

@ObjectType('Event', {
  simpleResolvers: true,
  description: 'Effect of a change on one post, account, job or other record of the workspace.',
})
class EventObject {
  @Field(() => ID, {
    description: 'ID: `evt_` followed by letters and digits. The same in every stream.',
  })
  id!: string;
  @Field(() => EventTypeEnum, {
    description:
      'What happened. POST_DELETED also stands for a change that hid the post from the viewer.',
  })
  type!: EventType;
  @Field(() => DateTime, { description: 'Time of the change.' }) at!: Date;
  @Field(() => Int, optional('Version of the post after the change. Null for other records.'))
  version!: number | null;
  @Field(
    () => UserObject,
    optional('User who made the change. Null if the gateway or an operator made it.'),
  )
  user!: UserObject | null;
  @Field(() => ApiKindEnum, { description: 'How the change reached the gateway.' })
  api!: ApiKind;
  @Field(() => ID, optional('ID of the post. Null if the event does not concern a post.'))
  postId!: string | null;
  @Field(
    () => PostObject,
    optional(
      'Current content of the post, which can be newer than the event. Null if the post was deleted.',
    ),
  )
  post!: PostObject | null;
  @Field(() => ID, optional('ID of the account, or of the account of the post.'))
  accountId!: string | null;
  @Field(() => [String], { description: 'Names of the fields of the post that changed.' })
  fields!: readonly string[];
  @Field(
    () => PostStateEnum,
    optional('State of the post before the change. Null if the viewer could not see the post.'),
  )
  stateBefore!: PostState | null;
  @Field(
    () => PostStateEnum,
    optional('State of the post after the change. Null if the post was deleted.'),
  )
  stateAfter!: PostState | null;
  @Field(() => String, {
    description:
      'Cursor to send as `after`, to `events` or `changes`, to continue after this event.',
  })
  cursor!: string;
}

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
    lastEventId: context.stream?.lastEventId || null,
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
