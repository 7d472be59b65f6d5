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
