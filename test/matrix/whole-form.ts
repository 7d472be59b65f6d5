import { toRestKeys, type Json } from '../parity/api.js';

/** The fields of PostPatch that a post shows, and whether each may change. */
export const FORM_QUERY = `query Form($after: String) { posts(first: 50, after: $after) {
  pageInfo { hasNextPage endCursor }
  nodes {
    id version type text url title excerpt question duration featuredMedia { url }
    media { id url title altText }
    link { url title description imageUrl callToAction phoneNumber }
    sublinks { url title description imageUrl callToAction phoneNumber }
    details {
      type feed reminder title start end coupon terms audio privacy comment duet stitch promotional
      paid language autoAddMusic textFormatPresetId boost sponsor { id name verified boost }
    }
    recycling { solo gap gapFreq startDate expireDate expireCount }
    recurring { frequency repeatEvery weekdays startDate endDate }
    content { type data } location { id name } labels { name color } options tags categories
    scheduledAt editability { field allowed rule }
  }
} }`;

const linkForm = ({ imageUrl, ...link }: Json): Json => ({ ...link, defaultImage: imageUrl });

/** A post as a client reads it with GraphQL, as a patch that changes nothing. */
export function toGraphqlForm(post: Json): Json {
  const { id: _id, version: _version, editability: _editability, ...fields } = post;
  const { featuredMedia, media, link, sublinks, recurring } = fields;
  return {
    ...fields,
    featuredMedia: featuredMedia && { path: featuredMedia.url },
    media: media.map(({ id, url, title, altText }: Json) => ({
      id,
      path: url,
      title,
      caption: altText,
    })),
    link: link && linkForm(link),
    sublinks: sublinks.map(linkForm),
    recurring: recurring && {
      repeat: recurring.frequency,
      repeatRate: recurring.repeatEvery,
      daysOfWeek: recurring.weekdays,
      startDate: recurring.startDate,
      endDate: recurring.endDate,
    },
  };
}

/** A post as a client reads it with REST v1, as a patch that changes nothing. */
export function toRestForm({ text, type, media, link, labels, recycling, recurring }: Json): Json {
  return {
    text,
    type,
    media: media.map(({ id, alt_text: caption }: Json) => ({ id, caption })),
    link: link && {
      url: link.url,
      title: link.title,
      description: link.description,
      default_image: link.image_url,
    },
    labels: labels.map(({ name, color }: Json) => ({ name, color })),
    recycling,
    recurring: recurring && {
      repeat: recurring.frequency,
      repeat_rate: recurring.repeat_every,
      days_of_week: recurring.weekdays,
      start_date: recurring.start_date,
    },
  };
}

/** A value of the domain as GraphQL reads it. */
export const toGraphqlValue = (field: string, value: unknown): unknown =>
  field === 'type' ? (value as string).toUpperCase() : value;

/** The v1 form with one changed field. */
export const withRestValue = (form: Json, field: string, value: unknown): unknown => ({
  ...form,
  ...(toRestKeys({ [field]: value }) as Json),
});
