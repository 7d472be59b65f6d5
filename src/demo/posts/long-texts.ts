import type { ContentBlock } from '../../domain/posts/post-content.js';

/** Polls: text, question and options. */
export const POLLS: readonly { text: string; question: string; options: string[] }[] = [
  {
    text: 'The people of {place} decide what we roast next.',
    question: 'Which bean comes back in spring?',
    options: ['Yirgacheffe', 'Huila', 'Doi Chaang', 'Surprise us'],
  },
  {
    text: 'Wir können uns nicht einigen. Helft uns!',
    question: 'Hafermilch oder Kuhmilch im Flat White?',
    options: ['Hafer', 'Kuh', 'Schwarz, bitte'],
  },
  {
    text: '{place}の新メニュー、どちらが飲みたいですか？',
    question: '夏の限定ドリンクは？',
    options: ['水出し{bean}', 'コーヒーゼリー', '柚子ソーダ'],
  },
  {
    text: 'We are moving the opening hours in {place}.',
    question: 'When should we open on Sundays?',
    options: ['08:00', '09:00', '10:00'],
  },
  {
    text: '{place}的朋友們，下一場活動由你們決定。',
    question: '想參加哪一種工作坊？',
    options: ['手沖入門', '拉花', '杯測'],
  },
];

/** Texts and titles of document posts. */
export const DOCUMENTS: readonly { text: string; title: string }[] = [
  {
    text: 'Our sustainability report: what we bought from {bean}, what we paid, and what we still do badly.',
    title: 'Sustainability report',
  },
  {
    text: 'Die Zubereitungskarte zum Ausdrucken – {bean}, in {number} Schritten.',
    title: 'Zubereitungskarte',
  },
  {
    text: 'Wholesale price list for the season, {bean} included. Questions? Ask {place}.',
    title: 'Wholesale price list',
  },
];

const paragraph = (text: string): ContentBlock => ({ type: 'paragraph', data: { text } });
const header = (text: string, level = 2): ContentBlock => ({
  type: 'header',
  data: { text, level },
});

/** Articles, with a summary as text. Together they contain content blocks of every kind. */
export const ARTICLES: readonly {
  text: string;
  title: string;
  excerpt: string;
  content: readonly ContentBlock[];
  tags: string[];
  categories: string[];
}[] = [
  {
    text: 'Why we roast {bean} lighter than we used to, and what {place} taught us.',
    title: 'Why we roast lighter now',
    excerpt: 'A short history of burnt fingers.',
    content: [
      paragraph(
        'When we opened, everything was dark. It was forgiving, and it tasted of the roaster rather than of the farm.',
      ),
      header('What changed'),
      {
        type: 'list',
        data: {
          style: 'unordered',
          items: ['Better green coffee', 'A thermometer that tells the truth', 'Guests who asked'],
        },
      },
      {
        type: 'quote',
        data: { text: 'It tastes like tea!', caption: 'A guest, not entirely pleased' },
      },
      { type: 'delimiter', data: {} },
      paragraph('We kept one dark roast. Some mornings need it.'),
    ],
    tags: ['roasting', 'light roast'],
    categories: ['Journal'],
  },
  {
    text: 'Ein Jahr direkter Handel mit {bean}: Preise, Pannen, Pläne.',
    title: 'Ein Jahr direkter Handel',
    excerpt: 'Was wir bezahlt haben – und was es gekostet hat.',
    content: [
      header('Die Zahlen'),
      {
        type: 'table',
        data: {
          withHeadings: true,
          content: [
            ['Posten', 'Euro je Kilo'],
            ['Rohkaffee', '7,40'],
            ['Fracht', '0,85'],
            ['Rösten', '3,10'],
          ],
        },
      },
      paragraph(
        'Die Fracht hat sich im Frühjahr verdoppelt. Wir haben die Preise trotzdem gehalten – Größe war nie unser Ziel.',
      ),
    ],
    tags: ['direkter Handel', 'Preise'],
    categories: ['Transparenz', 'Deutsch'],
  },
  {
    text: '{place}店、三周年のごあいさつ。',
    title: '三周年を迎えて',
    excerpt: '{number}つの思い出と、これからのこと。',
    content: [
      paragraph('小さな路地に店を開いて三年。毎朝同じ席に座ってくださる方々のおかげです。'),
      {
        type: 'media',
        data: {
          url: 'https://media.nordlicht.example/shimokitazawa-window.jpg',
          caption: '朝の窓辺',
        },
      },
      paragraph('来月から、焙煎教室も始めます。'),
    ],
    tags: ['周年', 'お知らせ'],
    categories: ['日本語'],
  },
  {
    text: 'A brew recipe for {bean} that survives a hotel kettle.',
    title: 'Coffee in a hotel room',
    excerpt: 'A kettle, a cup, a sock (clean).',
    content: [
      header('You need'),
      {
        type: 'list',
        data: {
          style: 'ordered',
          items: ['15 g of {bean}', '250 ml of water off the boil', 'Patience'],
        },
      },
      { type: 'code', data: { code: 'ratio = water / coffee  # 16 to 17' } },
      {
        type: 'html',
        data: { html: '<p>Stir <em>once</em>, wait four minutes, do not press.</p>' },
      },
    ],
    tags: ['recipes', 'travel'],
    categories: ['Journal', 'Recipes'],
  },
  {
    text: '從{bean}到{place}：一袋咖啡豆的旅程。',
    title: '一袋咖啡豆的旅程',
    excerpt: '四個國家、三艘船、一位耐心的海關。',
    content: [
      header('出發'),
      paragraph('採收在十一月開始，雨季一結束，整個山谷都忙了起來。'),
      header('抵達', 3),
      paragraph('七個月後，它成了你手上的這一杯。'),
    ],
    tags: ['產地', '故事'],
    categories: ['中文'],
  },
];
