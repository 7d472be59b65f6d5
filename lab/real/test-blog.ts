import type { ContentBlock } from '../../src/domain/posts/post-content.js';
import { startPictureServer, type PictureServer } from './picture-server.js';
import { startWordpress, type RealBlog } from './wordpress-server.js';

export type BlogCredentials = Readonly<Record<'site' | 'username' | 'applicationPassword', string>>;

/** A real blog with an editor `ada`, and pictures on another server. */
export interface TestBlog extends RealBlog {
  readonly pictures: PictureServer;
  readonly credentials: BlogCredentials;
  /** Creates an application password of a user. */
  createPassword(user: string): string;
  /** Publishes a post with title, content, excerpt, a category and a tag; returns its ID. */
  publish(): string;
  /** The post as WordPress stores it. */
  readPost(id: string): Record<string, unknown>;
}

export async function startTestBlog(): Promise<TestBlog> {
  const blog = await startWordpress();
  const createPassword = (user: string): string =>
    blog.php(
      `return WP_Application_Passwords::create_new_application_password(get_user_by('login', '${user}')->ID, ['name' => wp_generate_uuid4()])[0];`,
    );
  try {
    const pictures = await startPictureServer();
    return {
      ...blog,
      pictures,
      credentials: { site: blog.url, username: 'ada', applicationPassword: createPassword('ada') },
      createPassword,
      publish: () => String(blog.php(PUBLISH_POST)),
      readPost: (id) => blog.php(readPostCode(id)),
      async stop() {
        pictures.close();
        await blog.stop();
      },
    };
  } catch (error) {
    await blog.stop();
    throw error;
  }
}

const PUBLISH_POST = `
  $term = wp_insert_term('News & more', 'category'); $id = is_wp_error($term) ? $term->get_error_data() : $term['term_id'];
  return wp_insert_post(['post_title' => 'Old', 'post_content' => 'Old', 'post_excerpt' => 'Old', 'post_status' => 'publish', 'post_author' => 1, 'post_category' => [$id], 'tags_input' => ['old']]);`;

const readPostCode = (id: string): string => `
  $post = get_post(${id}); $picture = get_post_thumbnail_id($post);
  return ['title' => $post->post_title, 'content' => $post->post_content, 'excerpt' => $post->post_excerpt, 'slug' => $post->post_name, 'status' => $post->post_status,
    'categories' => wp_get_post_categories($post->ID, ['fields' => 'names']), 'tags' => wp_get_post_tags($post->ID, ['fields' => 'names']),
    'picture' => $picture ? basename(get_attached_file($picture)) : null, 'alt' => $picture ? get_post_meta($picture, '_wp_attachment_image_alt', true) : null];`;

export const CONTENT: ContentBlock[] = [
  { type: 'header', data: { text: 'Harvest', level: 2 } },
  { type: 'paragraph', data: { text: 'From <b>Doi Chaang</b>.<script>alert(1)</script>' } },
  { type: 'list', data: { style: 'ordered', items: ['light', 'floral'] } },
];
/** The HTML of CONTENT. */
export const HTML =
  '<h2>Harvest</h2>\n<p>From <b>Doi Chaang</b>.</p>\n<ol><li>light</li><li>floral</li></ol>';
