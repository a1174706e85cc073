/** Scripts whose letters change their shape at a joiner: the cursive ones, and those of Brahmic origin. */
const joining =
  '\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Nkoo}\\p{scx=Mong}\\p{scx=Adlm}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}' +
  '\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}\\p{scx=Java}\\p{scx=Bali}'

const rightToLeft = '\\p{scx=Arab}\\p{scx=Hebr}\\p{scx=Syrc}\\p{scx=Thaa}\\p{scx=Nkoo}\\p{scx=Adlm}'

/** Characters that a variation selector changes: emoji and digits of keycaps, ideographs, Mongolian and Myanmar letters. */
const variable = '\\p{Emoji}\\p{Unified_Ideograph}\\u1820-\\u18aa\\u1000-\\u109f'

const shown = '(?<!\\p{Default_Ignorable_Code_Point})'

/** Invisible characters that belong to the character beside them (RFC 5892 appendix A.1 and A.2; UTS #51; UAX #9 §2.6). */
const needed = [
  // The flags of England, Scotland and Wales.
  '\\u{1f3f4}[\\u{e0061}-\\u{e007a}]{4,6}\\u{e007f}',
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  `${shown}(?<=[${variable}])[\\ufe00-\\ufe0f\\u180b-\\u180d\\u180f\\u{e0100}-\\u{e01ef}]`,
  `${shown}(?<=[${joining}])[\\u200c\\u200d]`,
  `${shown}(?<=[${rightToLeft}])[\\u200e\\u200f\\u061c]`,
  `[\\u200e\\u200f\\u061c](?=[${rightToLeft}])(?!\\p{Default_Ignorable_Code_Point})`
].join('|')

/**
 * Invisible characters, which make two names look alike (UTS #39 §3.1.1; RFC 8264 §9.13), overrides and isolates, which change
 * the order of what follows (UAX #9 §2), and annotations.
 */
const invisible = new RegExp(
  `(${needed})|[\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\p{Noncharacter_Code_Point}\\ufff9-\\ufffc]`,
  'gu'
)

/** Control characters, lone surrogates, line separators, and spaces of any kind, the blank of Braille among them (RFC 8266 §2.1). */
const blank = /[\p{Cc}\p{Cs}\p{Z}\s\u2800]+/gu

/** Something that is visible by itself. */
const visible = /[^\p{M}\p{Z}\p{Cc}\p{Cf}\p{Cs}]/u

/**
 * Converts text that somebody sent, and somebody else reads: it stays on its line, does not change the order of the text
 * around it, and has no invisible characters, except those that a script or an emoji needs.
 *
 * @returns One line, with single spaces and none around it.
 */
export function toDisplayText(text: string): string {
  return text
    .replaceAll(invisible, (_, kept: string | undefined) => kept ?? '')
    .replaceAll(blank, ' ')
    .trim()
}

/**
 * Converts the name of a person or a thing, as {@link toDisplayText} does.
 *
 * @param maxLength - Unicode characters; a longer name is truncated.
 * @returns `null` if nothing visible is left.
 */
export function toDisplayName(text: string, maxLength: number = Number.POSITIVE_INFINITY): string | null {
  const name = toDisplayText(text.slice(0, 4 * maxLength))
  const characters = Array.from(name)
  const short = characters.length > maxLength ? toDisplayText(characters.slice(0, maxLength).join('')) : name
  return visible.test(short) ? short : null
}
