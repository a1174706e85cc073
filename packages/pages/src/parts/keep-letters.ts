/** Elements whose text is not laid out as lines of the page. */
const others: ReadonlySet<string> = new Set(['title', 'script', 'style', 'textarea', 'option'])

/** A tag, as React writes it, or a single letter before a hyphen that is not kept yet: `E-Mail`, `e-mail`. */
const parts = /<(\/?[a-z]*)[^>]*>?|(?<!class="word">|[\p{L}\p{N}-])[A-Za-z]-\p{L}+/gu

/** What only some languages have: other pages are not read tag by tag. */
const hasLetter = /[^\w-][A-Za-z]-/

/** Keeps a single letter and what its hyphen joins on one line, in all texts of a page: browsers break after each hyphen. */
export function keepLetters(markup: string): string {
  if (!hasLetter.test(markup)) return markup
  let end: string | null = null
  return markup.replaceAll(parts, (part: string, tag: string | undefined) => {
    if (tag === undefined) return end === null ? `<span class="word">${part}</span>` : part
    if (end === null && others.has(tag)) end = `/${tag}`
    else if (tag === end) end = null
    return part
  })
}
