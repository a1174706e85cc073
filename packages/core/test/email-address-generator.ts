/** Chance that repeats itself: the same seed makes the same addresses. */
export interface Chance {
  /** @returns A whole number below `limit`. */
  readonly below: (limit: number) => number
  readonly oneOf: <T>(list: readonly T[]) => T
}

/** mulberry32 */
export function getChance(seed: number): Chance {
  let state = seed
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit)
  }
  const oneOf = <T>(list: readonly T[]): T => {
    const item = list[below(list.length)]
    if (item === undefined) throw new RangeError('expected a list with something in it')
    return item
  }
  return { below, oneOf }
}

const locals = [
  'ada',
  'ADA',
  'a.b',
  'a+tag',
  "o'hara",
  'x_y',
  'a-b',
  '!#$%',
  '{a}',
  '|',
  '`',
  '=a=',
  'a/b',
  '1',
  '?q?',
  'ﬁ',
  'ａ',
  'ⅷ',
  'ſ',
  'K',
  'ä',
  '"a"',
  '"a b"',
  '"a@b"',
  '-a',
  '.a',
  'a.',
  'a..b',
  '',
  'a b',
  '=?utf-8?q?a?=',
  'a\\b',
  'a(b)',
  '(b)a',
  'a:',
  'xn--a',
  'a'.repeat(64),
  'a'.repeat(65)
]
const domains = [
  'example.com',
  'EXAMPLE.com',
  'a.b.c.test',
  'x-y.test',
  'xn--bcher-kva.test',
  '1.test',
  'a1.b2',
  'bücher.test',
  'faß.test',
  '例え.テスト',
  'exa\u00admple.com',
  'ｅxample.com',
  'example．com',
  'example。com',
  'ex\u200bample.com',
  '[127.0.0.1]',
  '127.0.0.1',
  'localhost',
  '-a.test',
  'a-.test',
  'a..b',
  '.a.test',
  'a.test.',
  'a_b.test',
  `${'a'.repeat(63)}.test`,
  `${'a'.repeat(64)}.test`,
  `${'a.'.repeat(120)}test`,
  'xn--.test',
  'xn--a.test',
  'a.1',
  'ⅷ.test',
  '①.test',
  'a%2eb.test',
  'a/b.test',
  'a#b.test',
  'a?b.test',
  'a\\b.test',
  'a:25.test'
]
const plainLocals = locals.slice(0, 16)
const plainDomains = domains.slice(0, 7)
const ats = ['@', '＠', '﹫', ' @', '@ ', '@@', '%40', '\u0000@', '@\t', '(x)@', '@(x)']
const wrappers: readonly ((address: string) => string)[] = [
  (address) => ` ${address} `,
  (address) => `<${address}>`,
  (address) => `Ada <${address}>`,
  (address) => `${address},eve@evil.test`,
  (address) => `${address};eve@evil.test`,
  (address) => `eve@evil.test ${address}`,
  (address) => `group:${address};`,
  (address) => `"${address}"@evil.test`,
  (address) => `${address}@evil.test`,
  (address) => `(eve@evil.test)${address}`,
  (address) => `${address}(comment)`,
  (address) => `${address}\r\nRCPT TO:<eve@evil.test>`,
  (address) => `${address}\n`,
  (address) => `\u00a0${address}\u3000`,
  (address) => `mailto:${address}`,
  (address) => `@evil.test:${address}`,
  (address) => `${address}?cc=eve@evil.test`,
  (address) => `=?utf-8?q?eve=40evil.test=2c?=${address}`
]
const sprinkled = [
  '"',
  '<',
  '>',
  '(',
  ')',
  ',',
  ';',
  ':',
  '\\',
  '[',
  ']',
  ' ',
  '\t',
  '\r',
  '\n',
  '\0',
  '@',
  '.',
  '\u00ad',
  '\u200b',
  '\u202e',
  '\ufeff',
  '\u0301',
  'ß',
  'İ',
  'ı',
  '\u212a',
  '\ud800',
  '😀',
  '%',
  "'",
  '`',
  '=',
  '?',
  '/',
  '-',
  '_',
  '+',
  'é',
  '＠',
  '．',
  '｡'
]

/** An address of known parts: half of them plain ones, put together in ways that some parser reads differently. */
export function hostileAddress({ below, oneOf }: Chance): string {
  const isPlain = below(2) === 0
  const local = oneOf(isPlain ? plainLocals : locals)
  const domain = oneOf(isPlain ? plainDomains : domains)
  const at = below(isPlain ? 20 : 3) === 0 ? oneOf(ats) : '@'
  let address = `${local}${below(4) === 0 ? `.${below(1000)}` : ''}${at}${domain}`
  if (below(5) === 0) address = oneOf(wrappers)(address)
  for (let count = below(4) === 0 ? below(3) + 1 : 0; count > 0; count--) {
    const position = below(address.length + 1)
    address = address.slice(0, position) + oneOf(sprinkled) + address.slice(position)
  }
  return address
}
