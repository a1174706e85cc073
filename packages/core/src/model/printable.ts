/** Control characters, lone surrogates, line separators, and characters that are invisible or change the direction of the text. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu

/** @returns The text with a space for each character that could forge or hide a part of a log line. */
export function toPrintable(text: string): string {
  return text.replaceAll(unprintable, ' ')
}
