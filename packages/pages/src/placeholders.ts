import { randomBytes } from 'node:crypto'

/** The mark is random and never leaves the process, so no external text can contain a placeholder. */
const mark = `hole-${randomBytes(16).toString('hex')}-`

/** The placeholder of value number `index` during rendering. It contains no character that is escaped. */
export function placeholder(index: number): string {
  return `${mark}${index}-`
}

/** A rendered page, split at its placeholders. */
export interface Template {
  readonly start: string
  readonly rest: readonly { readonly index: number; readonly text: string }[]
}

/** Splits a rendered page at its placeholders. */
export function toTemplate(html: string): Template {
  const [start = '', ...pieces] = html.split(mark)
  const rest = pieces.map((piece) => {
    const end = piece.indexOf('-')
    return { index: Number(piece.slice(0, end)), text: piece.slice(end + 1) }
  })
  return { start, rest }
}

/** Fills the placeholders. Values are escaped and not scanned again, so a placeholder in a value stays text. */
export function fill({ start, rest }: Template, values: readonly string[]): string {
  const escaped = values.map(escapeHtml)
  let html = start
  for (const { index, text } of rest) html += (escaped[index] ?? '') + text
  return html
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;'
}

/** Escapes a string for HTML text and quoted attributes, as React does. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
