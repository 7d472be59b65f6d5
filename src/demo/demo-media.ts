import type { MediaType } from '../domain/posts/post-content.js';

/**
 * The media of the demo, whose files the demo draws (demo-files.ts). Those with `inLibrary` are in
 * the media library, the others only on posts.
 */
export const DEMO_MEDIA: readonly {
  type: MediaType;
  file: string;
  title: string;
  altText: string | null;
  inLibrary: boolean;
}[] = [
  {
    type: 'photo',
    file: 'hafenstrasse-morning.jpg',
    title: 'Morning in the Hafenstraße',
    altText: 'A café window with the harbour behind it, at sunrise',
    inLibrary: true,
  },
  {
    type: 'photo',
    file: 'yirgacheffe-bag.jpg',
    title: 'Bag of Yirgacheffe',
    altText: 'A paper bag of coffee on a wooden table',
    inLibrary: true,
  },
  {
    type: 'photo',
    file: 'latte-art-swan.jpg',
    title: 'Swan',
    altText: 'Milk foam in the shape of a swan',
    inLibrary: true,
  },
  {
    type: 'photo',
    file: 'shimokitazawa-window.jpg',
    title: '窓辺の席',
    altText: '窓辺に置かれた小さなテーブルと一杯のコーヒー',
    inLibrary: true,
  },
  {
    type: 'photo',
    file: 'taipei-menu.jpg',
    title: '新菜單',
    altText: '黑板上的手寫菜單',
    inLibrary: true,
  },
  {
    type: 'photo',
    file: 'bangkok-cake.jpg',
    title: 'เค้กมะพร้าว',
    altText: 'เค้กมะพร้าวหนึ่งชิ้นบนจานสีขาว',
    inLibrary: true,
  },
  {
    type: 'photo',
    file: 'cairo-corner.jpg',
    title: 'زاوية القراءة',
    altText: 'كرسي بجانب رف كتب',
    inLibrary: true,
  },
  {
    type: 'photo',
    file: 'roaster-drum.jpg',
    title: 'The drum',
    altText: 'A drum roaster, half open, full of brown beans',
    inLibrary: true,
  },
  {
    type: 'photo',
    file: 'sacks-on-the-pier.jpg',
    title: 'Sacks',
    altText: 'Jute sacks stacked on a pier',
    inLibrary: false,
  },
  {
    type: 'photo',
    file: 'cups-handmade.jpg',
    title: 'Tassen',
    altText: 'Sechs handgedrehte Tassen, keine wie die andere',
    inLibrary: false,
  },
  { type: 'photo', file: 'team-picnic.jpg', title: 'Team', altText: null, inLibrary: false },
  {
    type: 'photo',
    file: 'cupping-table.jpg',
    title: 'Cupping',
    altText: 'Rows of small bowls and silver spoons',
    inLibrary: false,
  },
  {
    type: 'video',
    file: 'first-crack.mp4',
    title: 'First crack',
    altText: 'Beans darkening in a sight glass',
    inLibrary: true,
  },
  {
    type: 'video',
    file: 'harvest-walk.mp4',
    title: 'Harvest walk',
    altText: 'A farmer walks through rows of coffee trees',
    inLibrary: true,
  },
  {
    type: 'video',
    file: 'espresso-in-thirty.mp4',
    title: 'Espresso in thirty',
    altText: null,
    inLibrary: false,
  },
  {
    type: 'video',
    file: 'closing-time.mp4',
    title: 'Closing time',
    altText: 'Chairs are put on tables',
    inLibrary: false,
  },
  {
    type: 'gif',
    file: 'bloom.gif',
    title: 'Bloom',
    altText: 'Ground coffee rising under water',
    inLibrary: true,
  },
  {
    type: 'gif',
    file: 'cat-on-sacks.gif',
    title: 'Cat',
    altText: 'A cat turning around on a jute sack',
    inLibrary: false,
  },
  {
    type: 'document',
    file: 'sustainability-report.pdf',
    title: 'Sustainability report',
    altText: null,
    inLibrary: true,
  },
  {
    type: 'document',
    file: 'brew-card.pdf',
    title: 'Zubereitungskarte',
    altText: null,
    inLibrary: false,
  },
];
