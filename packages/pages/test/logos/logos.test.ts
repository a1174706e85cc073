import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { SignInOption } from '@postern/core'
import t from 'tap'
import { lettered } from '../../scripts/logos/sources.ts'
import { renderer } from '../../src/index.ts'
import { markFiles } from '../../src/logos/generated/index.ts'
import { type LogoDrawing, loadLogo } from '../../src/logos/load-logo.ts'
import { brandButtons } from '../../src/styles/brand-buttons.ts'
import { type Color, contrast, mix, parseColor } from '../../src/styles/color.ts'
import { logoColors } from '../../src/styles/logo-colors.ts'
import { neutrals } from '../../src/styles/palette.ts'
import { read } from '../dom.ts'
import * as sample from '../samples.ts'

// From build/test/marks.
const root = new URL('../../../', import.meta.url)
const core = new URL('../core/dist/providers/', root)

/** Every provider that leads to another site, as the core makes it. */
const providers = await Promise.all(
  readdirSync(core)
    .filter((name) => name.endsWith('.js') && name !== 'oidc.js')
    .map(async (name): Promise<SignInOption | null> => {
      const source = readFileSync(new URL(name.replace('.js', '.d.ts'), core), 'utf8')
      if (!/: OAuthConfig/.test(source)) return null
      const id = name.slice(0, -3)
      const style = /style: \{[^}]*bg: '([^']+)', text: '([^']+)'/.exec(readFileSync(new URL(name, core), 'utf8'))
      const [, bg, text] = style ?? []
      return { type: 'oauth', id, name: id, action: '/', style: bg && text ? { bg, text } : null }
    })
)
type Provider = Extract<SignInOption, { readonly type: 'oauth' }>
const choices = providers.filter((choice): choice is Provider => choice?.type === 'oauth')

const getColor = (text: string): Color => {
  const color = parseColor(text)
  if (!color) throw new Error(`expected a color, found ${text}`)
  return color
}
const schemes = ['light', 'dark'] as const
type Scheme = (typeof schemes)[number]

/** What a browser makes of it in one scheme. */
function seen(color: string, scheme: Scheme): Color {
  const [, light, dark] = /^light-dark\((.+),(.+)\)$/.exec(color) ?? [color, color, color]
  return getColor((scheme === 'light' ? light : dark) ?? '')
}

t.test('every provider has a drawing or is named as one that has none, and there are no others', async (t) => {
  t.ok(choices.length >= 94, `${choices.length} providers`)
  const known = [...Object.keys(markFiles), ...lettered].sort()
  t.same(known, choices.map(({ id }) => id).sort())
})

t.test('the drawings are what the script draws', async (t) => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/logos.ts', '--check'], {
    cwd: fileURLToPath(root),
    encoding: 'utf8'
  })
  t.equal(status, 0, stderr)
})

t.test('each is a path on a square field, with its source and license in SOURCES.md', async (t) => {
  const sources = readFileSync(new URL('src/logos/SOURCES.md', root), 'utf8')
  for (const id of Object.keys(markFiles)) {
    const mark = loadLogo(id)
    t.ok(mark && mark.size > 0 && mark.shapes.length > 0, id)
    for (const { d } of mark?.shapes ?? []) t.match(d, /^[Mm][-\d.\sa-zA-Z]+$/, id)
    t.match(
      sources,
      new RegExp(
        `^\\| \`${id}\` \\| [^|]+ \\| [^|]+ \\| (CC0-1\\.0|its owner’s rules|the owner’s: <https:[^|]+>) \\| [^|]* \\|$`,
        'm'
      )
    )
  }
})

t.test('an id that is not a provider has no logo', async (t) => {
  for (const id of ['', 'acme', '__proto__', 'constructor', '../mark', 'x']) t.equal(loadLogo(id), null, id)
})

/** The colors of a button on which a mark stands: at rest, hovered, pressed. */
function surfaces(mark: LogoDrawing | null, scheme: Scheme): readonly Color[] {
  const { card, hover, pressed } = neutrals[scheme]
  if (!mark?.button) return [card, hover, pressed].map(getColor)
  const fill = getColor(brandButtons[mark.button][scheme].fill)
  return [1, 1 - 0x1f / 255, 1 - 0x38 / 255].map((part) => mix(fill, getColor('#808080'), part))
}

for (const scheme of schemes) {
  t.test(`${scheme}: every mark can be seen on its button, at rest, hovered and pressed`, async (t) => {
    for (const { id, style } of choices) {
      const mark = loadLogo(id)
      // A logo of several colors is its owner’s: one of them has to stand out.
      const fixed = mark?.color === null ? mark.shapes.map(({ fill = '' }) => getColor(fill)) : []
      const text = mark?.button ? getColor(brandButtons[mark.button][scheme].text) : null
      const { shape, letter } = logoColors(mark?.color ?? style?.bg ?? '', style?.text)
      const drawn = fixed.length > 0 ? fixed : [mark?.color === 'currentColor' && text ? text : seen(shape, scheme)]
      for (const surface of surfaces(mark, scheme).slice(0, fixed.length > 0 ? 1 : 3)) {
        const best = Math.max(...drawn.map((color) => contrast(color, surface)))
        t.ok(best >= 3, `${id}: ${best.toFixed(2)}`)
        if (text) t.ok(contrast(text, surface) >= 4.5, `the text on the button of ${id}`)
      }
      if (!mark) t.ok(contrast(seen(letter, scheme), seen(shape, scheme)) >= 4.5, `the letter of ${id}`)
    }
  })
}

t.test('a color that can be seen is the brand’s own', async (t) => {
  t.equal(logoColors('#5865f2').shape.split(',')[0], 'light-dark(#5865f2')
  t.equal(logoColors('#fc6d26').shape.endsWith('#fc6d26)'), true)
  t.equal(logoColors('#181717').shape, `light-dark(#181717,${neutrals.dark.text})`, 'black is turned over')
})

const getTen = (ids: readonly string[]): readonly SignInOption[] =>
  ids.map((id) => ({ type: 'oauth', id, name: id, action: `/api/auth/signin/${id}`, style: null }))

t.test('a sign-in page with ten providers is small, with its style sheet and whatever their marks are', async (t) => {
  const getWeight = (id: string): number => JSON.stringify(loadLogo(id)).length
  const heaviest = Object.keys(markFiles).sort((a, b) => getWeight(b) - getWeight(a))
  const common = 'google apple microsoft-entra-id facebook github gitlab discord linkedin slack twitter'.split(' ')
  for (const [name, ids] of [
    ['common', common],
    ['heaviest', heaviest.slice(0, 10)]
  ] as const) {
    const context = sample.createPageContext()
    const html = renderer.page({ ...sample.signIn, choices: getTen(ids) }, context, { languages: [] })
    const file = read(html).one('link').attributes['href']?.split('/').at(-1) ?? ''
    const [page, style] = [html, renderer.asset(file, context)?.body ?? ''].map((text) => gzipSync(text).length)
    console.log(`${name}: page ${page} B and style sheet ${style} B, compressed`)
    t.ok((style ?? 0) > 1000)
    t.ok((page ?? 0) + (style ?? 0) < 15_000, `${name}: ${page} + ${style}`)
  }
})

t.test('only the marks in use are sent', async (t) => {
  const html = renderer.page({ ...sample.signIn, choices: [sample.github] }, sample.createPageContext(), {
    languages: []
  })
  t.match(html, loadLogo('github')?.shapes[0]?.d ?? 'nothing')
  t.equal(read(html).all('svg').length, 1)
})

for (const [name, file] of [
  ['the sources', 'build/src/index.js'],
  ['the bundle', 'dist/bundle/index.js']
] as const) {
  t.test(`${name}: only the marks in use are loaded`, async (t) => {
    const program = `
import { createRequire } from 'node:module'
const { renderer } = await import(${JSON.stringify(new URL(file, root).href)})
const [page, context] = ${JSON.stringify([{ ...sample.signIn, choices: getTen(['github', 'azure-ad', 'nobody']) }, sample.createPageContext()])}
renderer.page(page, context, { languages: [] })
const files = Object.keys(createRequire(import.meta.url).cache).filter((name) => name.endsWith('.json'))
process.stdout.write(files.map((name) => name.split('/').at(-1)).join(' '))
`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
    t.equal(stdout, 'github.json microsoft.json', stderr)
  })
}

t.test('the application’s own drawing stands where we have none, if it lies on this site', async (t) => {
  const marked = (id: string, logo: string): string | undefined => {
    const choices: readonly SignInOption[] = [{ type: 'oauth', id, name: 'Acme', action: '/', style: { logo } }]
    const dom = read(renderer.page({ ...sample.signIn, choices }, sample.createPageContext(), { languages: [] }))
    return dom.has('img') ? dom.one('img').attributes['src'] : undefined
  }
  for (const logo of ['/acme.svg', 'data:image/png;base64,AAAA']) t.equal(marked('acme', logo), logo)
  for (const logo of [
    '',
    'acme.svg',
    '//evil.example/x',
    '/\\evil.example',
    'https://evil.example/x',
    'data:text/html,x'
  ]) {
    t.equal(marked('acme', logo), undefined, logo)
  }
  t.equal(marked('github', '/github.svg'), undefined, 'next-auth v4 meant a file of its own site')
})
