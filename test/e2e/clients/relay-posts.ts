// Operations of a Relay app, read only by its compiler, which fails on names that the schema does
// not have.
import { graphql } from 'relay-runtime';

export const LIST = graphql`
  query relayPostsQuery($filter: PostFilter) {
    ...relayPosts_list @arguments(filter: $filter)
  }
`;

export const LIST_PART = graphql`
  fragment relayPosts_list on Query
  @refetchable(queryName: "relayPostsPageQuery")
  @argumentDefinitions(
    first: { type: "Int", defaultValue: 5 }
    after: { type: "String" }
    filter: { type: "PostFilter" }
  ) {
    posts(first: $first, after: $after, filter: $filter) @connection(key: "relayPosts_posts") {
      __id
      edges {
        node {
          id
          ...relayPosts_post
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;

export const POST = graphql`
  fragment relayPosts_post on Post @refetchable(queryName: "relayPostsPostQuery") {
    id
    text
    version
    location {
      id
      name
    }
    details {
      sponsor {
        id
        name
        boost
      }
    }
  }
`;

export const UPDATE = graphql`
  mutation relayPostsUpdateMutation($input: UpdatePostInput!) {
    updatePost(input: $input) {
      post {
        ...relayPosts_post
      }
      userErrors {
        code
        field
        rule
      }
    }
  }
`;

export const DELETE = graphql`
  mutation relayPostsDeleteMutation($input: DeletePostsInput!, $connections: [ID!]!) {
    deletePosts(input: $input) {
      deletedIds @deleteEdge(connections: $connections)
      userErrors {
        code
      }
    }
  }
`;
