// Draws the marks of providers into `src/logos/generated`: `pnpm logos`, after a new provider or a newer simple-icons.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { format } from 'node:util'
import type { SimpleIcon } from 'simple-icons'
import * as icons from 'simple-icons'
import { shortened } from './logos/path.ts'
import { getSource, grounds, lettered, type OwnMark, ownMarks, rules } from './logos/sources.ts'
import { drawSvgLogo, svgLogosVersion } from './logos/svg-logos.ts'

const here = (path: string): URL => new URL(path, import.meta.url)
const generated = here('../src/logos/generated/')
const providers = here('../../core/src/providers/')
const manifest = new URL('package.json', import.meta.resolve('simple-icons'))
const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'))

/** Decimals on a field of 24: hundredths are less than a screen shows, but an arc swings out on a smaller error. */
const getDigits = (path: string): number => (/a/i.test(path) && path.length < maxExactLength ? 3 : 2)

/** A drawing of more characters has no arc large enough for that. */
const maxExactLength = 4000

interface Drawn {
  readonly file: string
  readonly text: string
  readonly row: readonly string[]
}

const all: readonly SimpleIcon[] = Object.values({ ...icons, default: null }).filter((one) => one !== null)
const isOAuth = (id: string): boolean => /: OAuthConfig/.test(readFileSync(new URL(`${id}.ts`, providers), 'utf8'))
const ids = readdirSync(providers)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -3))
  .filter((id) => id !== 'oidc' && isOAuth(id))

function fromIcons(id: string, slug: string): Drawn {
  const icon = all.find((one) => one.slug === slug)
  if (!icon) throw new Error(`simple-icons ${version} has no ${slug} (for ${id}): name another drawing, or letter it`)
  const { title, path, hex, source, license, guidelines } = icon
  const isRuled = slug === 'apple'
  const d = shortened(path, getDigits(path))
  const own = `#${hex.toLowerCase()}`
  const behind = grounds[slug]
  // Apple’s mark has the colour of the button’s text.
  const color = behind ? null : isRuled ? 'currentColor' : own
  const shapes = behind ? [behind, { d, fill: own }] : [{ d }]
  const mark = { size: 24, color, button: Object.hasOwn(rules, slug) ? slug : null, shapes }
  const message = rules[slug] ?? guidelines
  const licence = license ? (license.type === 'custom' ? `the owner’s: <${license.url}>` : license.type) : 'CC0-1.0'
  const row = [title, `simple-icons ${version}, from <${source}>`, licence, message ? `<${message}>` : '']
  return { file: slug, text: JSON.stringify(mark), row }
}

function fromRules(file: string, { title, size, shapes, rules: message }: OwnMark): Drawn {
  const mark = { size, color: null, button: file, shapes }
  return {
    file,
    text: JSON.stringify(mark),
    row: [title, 'shapes and colours as its owner publishes them', 'its owner’s rules', `<${message}>`]
  }
}

function draw(id: string): Drawn | null {
  const source = getSource(id)
  if (source === null) return null
  const own = source.from === 'rules' ? ownMarks[source.file] : undefined
  if (source.from === 'simple-icons') return fromIcons(id, source.slug)
  if (source.from === 'svg-logos') {
    const row = [source.title, `SVG Logos ${svgLogosVersion}, \`${source.name}\``, 'CC0-1.0', '']
    return { file: source.name, text: JSON.stringify(drawSvgLogo(source.name, source.part)), row }
  }
  if (!own) throw new Error(`no drawing ${source.file}`)
  return fromRules(source.file, own)
}

const unknown = lettered.filter((id) => !ids.includes(id))
if (unknown.length > 0) throw new Error(`no such provider: ${unknown.join(', ')}`)

const drawn = ids.flatMap((id) => {
  const mark = draw(id)
  return mark ? [{ id, ...mark }] : []
})
const quoted = (text: string): string => (/^[a-z]\w*$/i.test(text) ? text : `'${text}'`)
const entries = drawn.map(({ id, file }) => `  ${quoted(id)}: '${file}'`)
const index = `// Written by scripts/logos.ts.

/** The logo file of each provider that has one. */
export const markFiles: Readonly<Record<string, string>> = {
${entries.join(',\n')}
}
`

const rows = drawn.map(({ id, row }) => `| \`${id}\` | ${row.join(' | ')} |`)
const table = `<!-- Written by scripts/logos.ts. -->

# Where the marks come from

The marks are the trademarks of their owners. They are shown for one purpose: to say at whom a button signs in. The
licence is that of the drawing; it gives no right to the trademark. Read the owner’s rules before any other use.

simple-icons is released under CC0-1.0 (<https://github.com/simple-icons/simple-icons/blob/develop/LICENSE.md>), with a
disclaimer about trademarks. Its paths are written with two or three decimals here, and a colour that cannot be seen on the button
is made darker or lighter when it is shown. SVG Logos is released under CC0-1.0 (<https://github.com/gilbarbara/logos>). Its
gradients are drawn in their middle colour.

| Provider | Mark | Source | Licence of the drawing | Owner’s rules |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

There is no free drawing of these, or only a word that is too small to be read, so they have their first letter, unless the
application brings a logo (docs/providers.md): ${lettered.map((id) => `\`${id}\``).join(', ')}.
`

const files = new Map<string, string>([
  [here('../src/logos/SOURCES.md').pathname, table],
  [new URL('index.ts', generated).pathname, index],
  ...drawn.map(({ file, text }) => [new URL(`${file}.json`, generated).pathname, `${text}\n`] as const)
])

if (process.argv.includes('--check')) {
  const stale = [...files].filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
  const left = readdirSync(generated).filter((name) => !files.has(new URL(name, generated).pathname))
  for (const name of [...stale.map(([path]) => path), ...left]) console.error(`not as drawn: ${name}; run pnpm logos`)
  process.exitCode = stale.length + left.length > 0 ? 1 : 0
} else {
  rmSync(generated, { recursive: true, force: true })
  mkdirSync(generated, { recursive: true })
  for (const [path, text] of files) writeFileSync(path, text)
}
console.log(format('%d providers: %d with a mark, %d with a letter', ids.length, drawn.length, lettered.length))
