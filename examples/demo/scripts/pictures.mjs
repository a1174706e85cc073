// Takes the pictures of the README from the running demo, in both schemes, into docs/images: `pnpm pictures`.
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { chromiumPath } from '@postern/testkit/chromium'
import { chromium } from 'playwright-core'
import { startDemo } from '../dist/main.js'

const images = new URL('../../../docs/images/', import.meta.url)
const pictures = {
  'sign-in': '/api/auth/signin',
  'two-step': '/screens/second-factor-challenge',
  account: '/screens/account'
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address()
      server.close(() => resolve(String(port)))
    })
  })

const [PORT, OIDC_PORT, SMTP_PORT] = [await freePort(), await freePort(), await freePort()]
const demo = await startDemo({ PORT, OIDC_PORT, SMTP_PORT, DATABASE: ':memory:', LOG_LEVEL: 'silent' })
const browser = await chromium.launch({ executablePath: chromiumPath })
mkdirSync(images, { recursive: true })
for (const colorScheme of ['light', 'dark']) {
  const viewport = { width: 460, height: 720 }
  const page = await browser.newPage({ colorScheme, viewport, deviceScaleFactor: 2, reducedMotion: 'reduce' })
  for (const [name, path] of Object.entries(pictures)) {
    await page.goto(demo.url + path)
    await page.screenshot({ path: fileURLToPath(new URL(`${name}-${colorScheme}.png`, images)) })
  }
  await page.close()
}
await browser.close()
await demo.close()
