import type { PostType } from '../../domain/enums.js';

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
