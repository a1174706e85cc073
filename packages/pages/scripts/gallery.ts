// Draws every screen and mail, in both schemes, two widths and three languages, into docs/gallery: `pnpm gallery`.
// With `--readme`, the few pictures of the README into docs/images.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromiumPath } from '@postern/testkit/chromium'
import { type Browser, chromium } from 'playwright-core'
import { createRenderer, loadTexts, unreadTexts } from '../src/index.ts'
import { screens } from '../test/browser/screens.ts'
import { openViewer } from '../test/browser/viewer.ts'
import { createPageContext } from '../test/samples.ts'
import { type Group, galleryPage } from './gallery/page.ts'

// From build/scripts.
const docs = new URL('../../../../docs/', import.meta.url)
const languages = ['en', 'de', 'ar'] as const
const schemes = ['light', 'dark'] as const
const sizes = [
  { width: 1024, height: 720 },
  { width: 320, height: 568 }
] as const

const logo = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="10" fill="#5b5bd6"/><path d="m11 28 9-17 9 17h-5l-4-8-4 8z" fill="#fff"/></svg>'
)}`
const mail = {
  identifier: 'ada@example.com',
  url: 'https://app.example.com/api/auth/callback/email?token=0123456789abcdef0123456789abcdef&email=ada%40example.com',
  code: 'KMPTRBZX',
  maxAge: 86_400,
  requestedAt: new Date('2030-01-31T23:05:00Z'),
  browser: 'Firefox (Linux)'
}
const context = { ...createPageContext(), siteName: 'Acme' }

type Renderers = Readonly<Record<(typeof languages)[number], Awaited<ReturnType<typeof createRenderer>>>>

/** Draws all screens in one scheme and size, and returns the file names. */
async function drawIn(
  browser: Browser,
  renderers: Renderers,
  [scheme, size]: readonly [(typeof schemes)[number], (typeof sizes)[number]]
): Promise<readonly (readonly [name: string, file: string])[]> {
  const viewer = await openViewer(browser, { colorScheme: scheme, viewport: size, reducedMotion: 'reduce' })
  const files: [string, string][] = []
  for (const language of languages) {
    const renderer = renderers[language]
    const picture = async (name: string): Promise<void> => {
      const file = `${name}-${language}-${scheme}-${size.width}.png`
      await viewer.page.screenshot({ path: fileURLToPath(new URL(`gallery/${file}`, docs)), fullPage: true })
      files.push([name, file])
    }
    for (const [name, screen] of Object.entries(screens)) {
      await viewer.load(screen, context, { renderer })
      await picture(name)
    }
    await viewer.page.goto('about:blank')
    await viewer.page.setContent(renderer.mail(mail, context).html)
    await picture('mail')
  }
  await viewer.context.close()
  return files
}

async function drawGallery(browser: Browser): Promise<void> {
  rmSync(new URL('gallery/', docs), { recursive: true, force: true })
  mkdirSync(new URL('gallery/', docs), { recursive: true })
  const [en, de, ar] = await Promise.all(languages.map((language) => createRenderer({ languages: [language] })))
  if (!en || !de || !ar) throw new Error('a language is missing')
  const renderers: Renderers = { en, de, ar }
  const combinations = schemes.flatMap((scheme) => sizes.map((size) => [scheme, size] as const))
  const drawn: (readonly [string, string])[] = []
  for (const combination of combinations) drawn.push(...(await drawIn(browser, renderers, combination)))
  const groups = new Map<string, Group>()
  for (const [name, file] of drawn) groups.set(name, { name, files: [...(groups.get(name)?.files ?? []), file] })
  const unread = await Promise.all(
    languages.map(async (language) => [language, unreadTexts(await loadTexts(language)).length] as const)
  )
  writeFileSync(new URL('gallery/index.html', docs), galleryPage([...groups.values()], unread))
  console.log(`${drawn.length} pictures: ${fileURLToPath(new URL('gallery/index.html', docs))}`)
}

/** The README’s pictures, in a font that most systems have one like. */
async function drawReadme(browser: Browser): Promise<void> {
  mkdirSync(new URL('images/', docs), { recursive: true })
  const theme = { logo, brandColor: '#5b5bd6', font: 'Liberation Sans, Helvetica, Arial, sans-serif' }
  const own = { ...createPageContext(theme), siteName: 'Acme' }
  for (const [name, colorScheme] of [
    ['sign-in', 'light'],
    ['sign-in', 'dark'],
    ['verify-request-code', 'light']
  ] as const) {
    const viewport = { width: 520, height: 620 }
    const viewer = await openViewer(browser, { colorScheme, viewport, reducedMotion: 'reduce' })
    const screen = screens[name]
    if (!screen) throw new Error(`no screen ${name}`)
    const page = await viewer.load(screen, own)
    await page.screenshot({ path: fileURLToPath(new URL(`images/${name}-${colorScheme}.png`, docs)) })
    await viewer.context.close()
  }
}

const browser = await chromium.launch({ executablePath: chromiumPath })
await (process.argv.includes('--readme') ? drawReadme(browser) : drawGallery(browser))
await browser.close()
