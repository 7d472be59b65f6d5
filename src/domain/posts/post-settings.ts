/** Settings of a post that only some networks have. */
export interface PostDetails {
  type?: string | null;
  feed?: boolean | null;
  reminder?: boolean | null;
  title?: string | null;
  start?: string | null;
  end?: string | null;
  coupon?: string | null;
  terms?: string | null;
  audio?: string | null;
  privacy?: string | null;
  comment?: boolean | null;
  duet?: boolean | null;
  stitch?: boolean | null;
  promotional?: boolean | null;
  paid?: boolean | null;
  language?: string | null;
  autoAddMusic?: boolean | null;
  textFormatPresetId?: string | null;
  boost?: boolean | null;
  sponsor?: Sponsor | null;
}
/** Settings that are specific to one network. */
export interface NetworkOptions {
  /** The board of a pin. */
  boardId?: string | null;
  visibility?: string | null;
  sensitive?: boolean | null;
  spoilerText?: string | null;
  replySettings?: string | null;
  category?: string | null;
  parseMode?: string | null;
  disableNotification?: boolean | null;
}

/** The sponsor of a paid partnership. */
export interface Sponsor {
  id?: string | null;
  name?: string | null;
  verified?: boolean | null;
  boost?: boolean | null;
}

/** Units of the gap between two recycles. */
export const GAP_FREQUENCIES = ['days', 'weeks', 'months'] as const;
export type GapFrequency = (typeof GAP_FREQUENCIES)[number];
/** How a post is published again after publication: `gap` is in units of `gapFreq`. */
export interface Recycling {
  solo?: boolean | null;
  gap?: number | null;
  gapFreq?: GapFrequency | null;
  label?: string | null;
  /** YYYY-MM-DD. */
  startDate?: string | null;
  expireDate?: string | null;
  /** Number of recycles before expiry. */
  expireCount?: number | null;
}

/** Frequencies of a series. */
export const REPEATS = ['daily', 'weekly', 'monthly', 'yearly'] as const;
type Repeat = (typeof REPEATS)[number];
/** Days of the week, from 0 = Monday (D6). */
export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
/** The rule of a series, with the field names of a request; times are ISO 8601 in UTC. */
export interface RecurringRule {
  startDate?: string | null;
  endDate?: string | null;
  repeat?: Repeat | null;
  repeatRate?: number | null;
  /** 0 to 6, 0 = Monday. */
  daysOfWeek?: number[] | null;
}
