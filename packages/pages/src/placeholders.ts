import { randomBytes } from 'node:crypto'

/** Nobody outside this process knows it, and it never leaves: no text that comes from outside can name a hole. */
const mark = `hole-${randomBytes(16).toString('hex')}-`
const holes = new RegExp(`${mark}(\\d+)-`)

/** The text that stands for value number `index` while a page is rendered. It has nothing that must be escaped. */
export function hole(index: number): string {
  return `${mark}${index}-`
}

/** A rendered page, cut at its holes. */
export interface Template {
  readonly start: string
  readonly rest: readonly { readonly index: number; readonly text: string }[]
}

/** Cuts a rendered page at its holes. */
export function toTemplate(html: string): Template {
  const [start = '', ...pieces] = html.split(holes)
  const rest = pieces.flatMap((text, at) => (at % 2 === 1 ? [{ index: Number(pieces[at - 1]), text }] : []))
  return { start, rest }
}

/** Fills the holes. A value is escaped and never looked at again, so a hole that it spells stays text. */
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

/** Escapes text for HTML's text and quoted attributes, as React does. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
