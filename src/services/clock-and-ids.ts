export interface Clock {
  now(): Date;
}

/** Creates identifiers: a document id of 24 hex digits, or a prefix and 16 base62 characters (D3). */
export interface Ids {
  document(): string;
  prefixed(prefix: IdPrefix): string;
}
export type IdPrefix = 'wks' | 'acc' | 'usr' | 'lbl' | 'med' | 'job' | 'key' | 'ntf';
