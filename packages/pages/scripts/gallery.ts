// Draws every screen and mail, in both schemes, two widths and three languages, into docs/gallery: `pnpm gallery`.

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

const browser = await chromium.launch({ executablePath: chromiumPath })
await drawGallery(browser)
await browser.close()
