import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { makePgService } from 'postgraphile/adaptors/pg';
import { listOfCodec, sideEffectWithPgClient, TYPES } from 'postgraphile/@dataplan/pg';
import {
  addPgTableCondition,
  addPgTableOrderBy,
  extendSchema,
  gql,
  orderByAscDesc,
} from 'postgraphile/utils';
import { DATABASE_URL, POOL_SIZE, VIEWER } from './environment.js';
import {
  CREATE_SQL,
  createValues,
  DELETE_SQL,
  UPDATE_SQL,
  updateValues,
  type Creation,
  type Update,
} from './write-sql.js';

const POST = { schemaName: 'public', tableName: 'post' };

/** Posts that a user can see: not deleted, and no private drafts of other users. */
const visibleTo = addPgTableCondition(
  POST,
  'visibleTo',
  ({ graphql }) => ({ type: graphql.GraphQLString }),
  (value, { sql, sqlTableAlias: post, sqlValueWithCodec }) =>
    sql`${post}.deleted_at IS NULL AND (${post}.stored_state NOT IN (24, 25) OR ${post}.creator_id = ${sqlValueWithCodec(value, TYPES.text)})`,
);

/** Posts in one of these stored states. */
const inStoredStates = addPgTableCondition(
  POST,
  'inStoredStates',
  ({ graphql: { GraphQLInt, GraphQLList } }) => ({ type: new GraphQLList(GraphQLInt) }),
  (value, { sql, sqlTableAlias: post, sqlValueWithCodec }) =>
    sql`${post}.stored_state = ANY(${sqlValueWithCodec(value, listOfCodec(TYPES.int2))})`,
);

/** Posts with the words of a tsquery. */
const withWords = addPgTableCondition(
  POST,
  'withWords',
  ({ graphql: { GraphQLString } }) => ({ type: GraphQLString }),
  (value, { sql, sqlTableAlias: post, sqlValueWithCodec }) =>
    sql`${post}.id IN (SELECT s.post_id FROM post_search s WHERE array_to_tsvector(s.tokens) @@ ${sqlValueWithCodec(value, TYPES.text)}::tsquery)`,
);

const order = addPgTableOrderBy(POST, () =>
  orderByAscDesc('SORT_AT', 'sort_at', { nullable: false }),
);

const changes = extendSchema(({ pgExecutor }) => ({
  typeDefs: gql`
    input UpdateTextInput {
      workspace: String!
      id: String!
      text: String!
      expectedVersion: Int!
    }
    type UpdateTextPayload {
      version: Int!
      updatedAt: Datetime!
      id: String!
      text: String!
    }
    input NewPostInput {
      accountId: String!
      scheduledAt: Datetime!
    }
    input NewPostsInput {
      workspace: String!
      text: String!
      targets: [NewPostInput!]!
    }
    type AddPostsPayload {
      createdIds: [String!]!
    }
    type RemovePostsPayload {
      deletedIds: [String!]!
    }
    extend type Mutation {
      addPosts(input: NewPostsInput!): AddPostsPayload
      updateText(input: UpdateTextInput!): UpdateTextPayload
      removePosts(workspace: String!, ids: [String!]!): RemovePostsPayload
    }
  `,
  objects: {
    Mutation: {
      plans: {
        addPosts: (_parent, { $input }) =>
          sideEffectWithPgClient(pgExecutor!, $input, async (client, input) => {
            const { workspace, ...creation } = input as Creation & { workspace: string };
            const { rows } = await client.query<{ id: string }>({
              name: 'add_posts',
              text: CREATE_SQL,
              values: createValues(workspace, VIEWER, creation),
            });
            return { createdIds: rows.map(({ id }) => id) };
          }),
        updateText: (_parent, { $input }) =>
          sideEffectWithPgClient(pgExecutor!, $input, async (client, input) => {
            const { workspace, ...update } = input as Update & { workspace: string };
            const {
              rows: [row],
            } = await client.query<{ updatedAt: Date }>({
              name: 'update_text',
              text: UPDATE_SQL,
              values: updateValues(workspace, VIEWER, update),
            });
            return row ? { ...row, id: update.id, text: update.text } : null;
          }),
        removePosts: (_parent, { $workspace, $ids }) =>
          sideEffectWithPgClient(
            pgExecutor!,
            [$workspace!, $ids!],
            async (client, [workspace, ids]) => {
              const { rows } = await client.query<{ id: string }>({
                name: 'remove_posts',
                text: DELETE_SQL,
                values: [ids, workspace, VIEWER],
              });
              const deleted = new Set(rows.map(({ id }) => id));
              return { deletedIds: (ids as string[]).filter((id) => deleted.has(id)) };
            },
          ),
      },
    },
  },
}));

/**
 * The schema that PostGraphile derives from the tables, plus the conditions, the order and the
 * mutations that the operations need.
 */
export const preset: GraphileConfig.Preset = {
  extends: [PostGraphileAmberPreset],
  plugins: [visibleTo, inStoredStates, withWords, order, changes],
  pgServices: [
    makePgService({
      connectionString: DATABASE_URL,
      schemas: ['public'],
      poolConfig: { max: POOL_SIZE },
    }),
  ],
  grafserv: { graphqlPath: '/graphql', websockets: false, graphiql: false },
  grafast: { explain: false },
};
