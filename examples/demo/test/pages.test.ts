import t from 'tap'
import { startDemo } from '../src/main.ts'
import { samples } from '../src/samples.ts'
import { freePorts } from './free-ports.ts'

t.test('the front page links every screen, and each answers', async (t) => {
  const [port, oidcPort, smtpPort] = await freePorts(3)
  const demo = await startDemo({
    PORT: String(port),
    OIDC_PORT: String(oidcPort),
    SMTP_PORT: String(smtpPort),
    DATABASE: ':memory:',
    LOG_LEVEL: 'silent'
  })
  t.teardown(demo.close)
  const front = await (await fetch(demo.url)).text()
  const links = [...front.matchAll(/href="(\/[^"]*)"/g)].map(([, path = '']) => path.replaceAll('&#38;', '&'))
  t.ok(links.includes('/screens'))
  t.ok(links.length > 12, `${links.length} links`)
  const documented = [200, 401, 403, 429, 500]
  for (const path of links) {
    const { status, headers } = await fetch(demo.url + path)
    t.ok(documented.includes(status), `${path}: ${status}`)
    t.ok(headers.get('content-type'), path)
  }
  const gallery = await (await fetch(`${demo.url}/screens?language=ar&scheme=dark`)).text()
  for (const name of Object.keys(samples)) {
    t.match(gallery, `src="/screens/${name}?language=ar&#38;scheme=dark"`)
    const screen = await (await fetch(`${demo.url}/screens/${name}?language=ar&scheme=dark`)).text()
    t.match(screen, '<html lang="ar" dir="rtl">', name)
    const [, style = ''] = /href="([^"]+\.css)"/.exec(screen) ?? []
    const sheet = await fetch(demo.url + style)
    t.equal(sheet.status, 200, 'the style sheet of a sample is there')
    t.match(await sheet.text(), /^:root\{color-scheme:dark;/)
  }
  t.equal((await fetch(`${demo.url}/screens/constructor`)).status, 404)
  t.equal((await fetch(`${demo.url}/screens/assets/0000000000000000.css`)).status, 404)
  t.match(await (await fetch(`${demo.url}/screens/confirm?language=xx&scheme=%22%3E`)).text(), '<html lang="en"')
})
