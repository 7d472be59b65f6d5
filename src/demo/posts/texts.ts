import type { PostType } from '../../domain/enums.js';
import type { ContentBlock } from '../../domain/posts/post-content.js';

/**
 * Values of the placeholders `{place}`, `{bean}`, `{days}` and `{number}`, so that few posts have
 * the same text.
 */
export const PLACEHOLDER_VALUES = {
  place: ['Hafenstraße', 'Shimokitazawa', '永康街', 'เจริญกรุง', 'الزمالك', 'Alfama', 'Ottensen'],
  bean: [
    'Yirgacheffe',
    'Huila',
    'Sidama',
    'Antigua',
    'Doi Chaang',
    'Alishan',
    'Nyeri',
    'Cerrado',
    'Guji',
    'Chiapas',
    'Kirinyaga',
  ],
  days: ['two', 'three', 'four', 'five', 'six', 'seven'],
  number: ['2', '3', '4', '5', '6', '7'],
} as const;

/** Texts of status posts. */
export const STATUS_TEXTS: readonly string[] = [
  'Fresh off the roaster: {bean}, light and floral. It is on the bar in {place} from tomorrow, and in the shop {days} days later.',
  'We open half an hour earlier in {place} this week. Bring your own cup and the first refill of {bean} is on us. ☕️',
  'Frisch geröstet: {bean} – Pfirsich, Jasmin, ein Hauch Zitrone. Ab morgen in der {place}. Wir freuen uns auf euch! 🌊',
  'Öffnungszeiten über die Feiertage: In {place} schließen wir früher, die Rösterei bleibt für Abholungen geöffnet. Schöne Grüße vom Team!',
  '新しい豆が届きました。{bean}の浅煎り、今週は{place}でだけ飲めます。ぜひ試してください。',
  '台風のため、{place}店は本日15時で閉店します。お気をつけてお帰りください。🌀',
  '今天開始供應{bean}手沖，香氣像剛剝開的柚子。{place}門市每日限量二十杯，賣完為止。',
  '海关税收政策有新变化，{bean}生豆到货会晚几天。给大家添麻烦了，谢谢理解。🙏',
  'กาแฟ {bean} คั่วใหม่มาแล้ว หอมดอกมะลิ ดื่มได้ที่สาขา {place} ตั้งแต่พรุ่งนี้ ประเทศไทยมีของดีไม่แพ้ใคร',
  'วันนี้ฝนตกหนักที่ {place} แวะมาหลบฝนแล้วดื่มกาแฟร้อน ๆ กันนะคะ ☔️',
  'وصلت حبوب {bean} الجديدة! نكهة المشمش مع لمسة من الهيل. بانتظاركم في {place} ابتداءً من الغد. ☕️',
  'نفتح أبوابنا في {place} الساعة السابعة صباحًا طوال هذا الأسبوع. أول قهوة على حسابنا.',
  'Café du matin à {place} : un {bean} tout en douceur, servi jusqu’à onze heures. À très vite !',
  'Esta semana, en {place}, catamos el {bean} con quienes lo cultivan. Entrada libre, plazas contadas: avisad en la barra.',
  'Chegou o {bean}! Doce, com travo a laranja. Provem no balcão de {place} – a primeira chávena é por nossa conta.',
  'Two things we learned from roasting {bean} {days} times this month: slower is sweeter, and the cat likes the warm sacks. 🐈',
  'Hiring in {place}: a barista who can pour, talk and sweep. We teach the first two. Tell a friend?',
  'Question of the day: what do you do with coffee grounds? We give ours to the allotments behind {place}. 🌱 #zerowaste',
  'The grinder in {place} is back from repair. Espresso from {bean} flows again – thanks for your patience these {days} days.',
  'Bærekraft i praksis: sekkene fra {bean} blir til vesker, sydd rett ved {place}. Takk til alle som var med! 💚',
];

interface LinkText {
  text: string;
  url: string;
  title: string;
  description: string;
}

/** Texts of link posts, with the preview of the link. */
export const LINK_TEXTS: readonly LinkText[] = [
  {
    text: 'How {bean} travels from the tree to {place}: the whole way, in pictures.',
    url: 'https://nordlicht.example/journal/from-tree-to-cup',
    title: 'From tree to cup',
    description: 'Nine months, four countries and one very patient customs officer.',
  },
  {
    text: 'Unser Leitfaden für Filterkaffee zu Hause – mit {bean} gebrüht und ohne Waage erklärt.',
    url: 'https://nordlicht.example/de/leitfaden-filterkaffee',
    title: 'Filterkaffee ohne Waage',
    description: 'Zwei Löffel, eine Uhr und etwas Übung.',
  },
  {
    text: '家で{bean}をおいしく淹れる方法をまとめました。{place}のバリスタが教えます。',
    url: 'https://nordlicht.example/ja/handdrip',
    title: 'ハンドドリップの基本',
    description: 'お湯の温度、挽き目、そして少しの忍耐。',
  },
  {
    text: '我們為什麼直接向{bean}的農家買豆？一篇寫給{place}老朋友的長文。',
    url: 'https://nordlicht.example/zh/direct-trade',
    title: '直接貿易的三年',
    description: '價格、信任，還有一場下了十二天的雨。',
  },
  {
    text: 'คู่มือเลือกเมล็ด {bean} สำหรับมือใหม่ อ่านจบใน {number} นาที',
    url: 'https://nordlicht.example/th/beans-for-beginners',
    title: 'เลือกเมล็ดกาแฟอย่างไร',
    description: 'คั่วอ่อนหรือคั่วเข้ม เริ่มจากที่คุณชอบ',
  },
  {
    text: 'كيف نختار حبوب {bean}؟ رحلة مصورة من المزرعة إلى {place}.',
    url: 'https://nordlicht.example/ar/choosing-beans',
    title: 'كيف نختار الحبوب',
    description: 'من المزرعة إلى الفنجان في تسع خطوات.',
  },
  {
    text: 'Tickets for the cupping night in {place} are out: {days} origins, one table, no experts needed.',
    url: 'https://nordlicht.example/events/cupping-night',
    title: 'Cupping night',
    description: 'An evening of slurping. Children drink cocoa.',
  },
  {
    text: 'We publish what we pay: the price list for {bean} and every other lot of the season.',
    url: 'https://nordlicht.example/transparency',
    title: 'What we pay',
    description: 'Farm gate prices, freight, roasting, rent – and what is left.',
  },
];

/** Texts of posts with pictures and videos, with the same placeholders as the short texts. */
export const VISUAL_TEXTS = {
  photo: [
    'Morning light in {place}. First cup: {bean}.',
    'Latte art by Mei – she has been here {days} months and is better than all of us. 🎨',
    'Neue Tassen! Handgedreht in {place}, jede ein bisschen anders.',
    '{place}の窓辺の席、朝がいちばん静かです。',
    '新菜單：{bean}冰滴配鳳梨酥，{place}限定。🍍',
    'เค้กมะพร้าวกับ {bean} เข้ากันกว่าที่คิด 🥥',
    'زاوية القراءة الجديدة في {place}. كتاب وقهوة {bean}.',
    'The roaster after {days} batches of {bean}: warm, dusty, happy.',
    'Prensa francesa, {bean} y una tarde de lluvia en {place}.',
    'Sacks of {bean} on the pier. Somebody has to carry them up to {place}…',
  ],
  gif: [
    'When the {bean} blooms just right.',
    'Montagmorgen in der {place}, kurz vor sieben. 😴',
    '{place}の猫、今日も元気です。🐾',
    'Steam wand, {place}, take {days}.',
  ],
  video: [
    'Watch Jonas roast {bean} from green to first crack in under a minute.',
    'So brühen wir {bean} in der {place}: 18 Gramm, 30 Sekunden, fertig.',
    '{place}から生中継：焙煎したての{bean}を飲み比べ。',
    '帶你看{place}的一天：從磨豆到打烊。',
    'ชมการคั่ว {bean} แบบเต็ม ๆ {number} นาที',
    'كيف نُحمّص {bean} في {place}؟ شاهدوا الخطوات.',
    'A farmer’s view: Doña Luz walks us through the {bean} harvest.',
    'Behind the counter in {place}: {days} drinks in {days} minutes.',
  ],
  reel: [
    '{days} mistakes everyone makes with {bean} (we did too).',
    'POV: du bestellst in {place} „einfach einen Kaffee“.',
    '{bean}、30秒で。',
    'From bean to cup in {place} ✨',
  ],
  story: [
    'Today only in {place}: {bean} for the price of a filter.',
    'Noch {number} Plätze für den Workshop in {place}!',
    '{place}限時：買豆送濾紙 📦',
    'Tap to vote: {bean} or decaf?',
  ],
  short: [
    'Dialing in {bean}: what we taste, what we change.',
    '{place}店の裏側、60秒で。',
    '{days} ways to froth oat milk, ranked.',
  ],
  carousel: [
    'One day in {place}, from the first delivery to the last cup. Swipe →',
    'Unsere Röstungen im Vergleich: {bean} hell, mittel, dunkel.',
    '{bean}の産地から届いた写真、{place}で展示中です。',
    '{place}三週年！謝謝每一位客人。🎂',
    'รวมภาพเวิร์กช็อปที่ {place} ขอบคุณทุกคนที่มาค่ะ',
    'Before and after: how {place} lost a wall and gained a bar.',
  ],
} as const satisfies Partial<Record<PostType, readonly string[]>>;

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
