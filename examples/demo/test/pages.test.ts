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
  for (const name of Object.keys(samples)) t.ok(links.includes(`/screens/${name}`), name)
  t.ok(links.length > 12, `${links.length} links`)
  const documented = [200, 401, 403, 429, 500]
  for (const path of links) {
    const { status, headers } = await fetch(demo.url + path)
    t.ok(documented.includes(status), `${path}: ${status}`)
    t.ok(headers.get('content-type'), path)
  }
  const screen = await (await fetch(`${demo.url}/screens/confirm`)).text()
  const [, style = ''] = /href="([^"]+\.css)"/.exec(screen) ?? []
  t.equal((await fetch(demo.url + style)).status, 200, 'the style sheet of a sample is there')
  t.equal((await fetch(`${demo.url}/screens/constructor`)).status, 404)
})
