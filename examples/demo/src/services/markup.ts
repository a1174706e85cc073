import { createHash } from 'node:crypto'

/** Safe HTML: every value in it is escaped. */
export interface Markup {
  readonly html: string
}

type Value = string | number | Markup | readonly Markup[]

/** A template tag: the template is HTML, interpolated values are text. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return { html: strings.map((text, index) => text + toHtml(values[index] ?? '')).join('') }
}

/** Marks a string as HTML. Only for HTML that this process wrote. */
export function trusted(text: string): Markup {
  return { html: text }
}

const style = `
:root { color-scheme: light dark; --line: light-dark(#d8dbe2, #3a3d46); --quiet: light-dark(#5b6070, #a2a7b5);
  --card: light-dark(#fff, #1d1f26); --accent: light-dark(#5a3ea8, #b9a5f5) }
* { box-sizing: border-box }
body { margin: 0; padding: 2rem 1rem; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#f3f4f7, #121318) }
main { max-width: 44rem; margin: 0 auto; padding: 1.5rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .75rem }
main.narrow { max-width: 24rem } main.full { max-width: none }
h1 { margin: 0 0 .5rem; font-size: 1.35rem; overflow-wrap: anywhere }
p { margin: 0 0 1rem } .quiet { color: var(--quiet) }
a { color: var(--accent) }
form { display: grid; gap: .5rem }
button { display: flex; align-items: center; gap: .75rem; padding: .6rem .75rem; font: inherit; text-align: left;
  color: inherit; background: none; border: 1px solid var(--line); border-radius: .5rem; cursor: pointer }
button:hover, button:focus-visible { border-color: var(--accent) }
button.plain { justify-content: center; border-color: transparent; color: var(--quiet) }
button img { width: 2.25rem; height: 2.25rem }
button small { display: block; color: var(--quiet) }
ol { margin: 0; padding: 0; list-style: none }
li { padding: .6rem 0; border-top: 1px solid var(--line) }
li a { display: block; font-weight: 600; overflow-wrap: anywhere }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0 0 1rem }
dt { color: var(--quiet) } dd { margin: 0; overflow-wrap: anywhere }
h2 { margin: 1.5rem 0 .5rem; font-size: 1rem }
pre { margin: 0; padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line);
  border-radius: .5rem }
iframe { width: 100%; height: 40rem; border: 1px solid var(--line); border-radius: .5rem; background: #fff }
.screens { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: 1rem }
.screens iframe { height: 40rem; background: none }
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** The headers of a page: only its own style, pictures and frames are allowed, and it is not cached. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  // No form-action: Chromium applies it to redirects, and a form here ends at the application that started the sign-in.
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff'
}

/** Renders a whole document. */
export function page(title: string, body: Markup, size: 'narrow' | 'wide' | 'full' = 'wide'): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trusted(style)}</style>
</head>
<body>
<main class="${size}">
${body}
</main>
</body>
</html>
`.html
}

function toHtml(value: Value): string {
  if (typeof value === 'number') return `${value}`
  if (typeof value === 'string') return escapeText(value)
  return 'html' in value ? value.html : value.map(toHtml).join('')
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
