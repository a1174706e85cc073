import type { SignInMail } from '@postern/core'
import t from 'tap'
import { createRenderer, en, renderer } from '../../src/index.ts'
import { read } from '../dom.ts'
import * as sample from '../samples.ts'

const url =
  'https://app.example.com/api/auth/callback/email?callbackUrl=https%3A%2F%2Fapp.example.com%2F&token=abc&email=ada%40example.com'
const request = { requestedAt: new Date('2030-01-31T23:05:59Z'), browser: 'Firefox (Linux)' }
const both: SignInMail = { identifier: 'ada@example.com', url, code: 'BCDFGHJK', maxAge: 86_400, ...request }
const context = sample.createPageContext()

t.test('the subject names the site as the heading does: its name, otherwise the host as in next-auth v4', async (t) => {
  t.equal(renderer.mail(both, context).subject, 'Sign in to app.example.com')
  const named = renderer.mail(both, { ...context, siteName: 'Books' })
  t.equal(named.subject, 'Sign in to Books')
  t.equal(named.text.split('\n')[0], 'Sign in to Books')
  t.equal(read(named.html).one('h1').text, 'Sign in to Books')
})

t.test('text and HTML say when and from which browser the mail was requested', async (t) => {
  const { text, html } = renderer.mail(both, context)
  const line = 'Requested: January 31, 2030 at 23:05 UTC · Firefox (Linux)'
  t.ok(text.split('\n').includes(line))
  t.ok(read(html).one('body').text.includes(line))
  const unknown = renderer.mail({ ...both, browser: null }, context)
  t.ok(unknown.text.split('\n').includes('Requested: January 31, 2030 at 23:05 UTC'))
})

t.test('the text has the link and the code on their own lines, whole', async (t) => {
  const lines = renderer.mail(both, context).text.split('\n')
  t.equal(lines[0], 'Sign in to app.example.com')
  t.ok(lines.includes(url))
  t.ok(lines.includes('BCDFGHJK'))
  t.ok(lines.includes('Good for 24 hours, and only once.'))
  t.ok(lines.includes(en.mail.ignore))
})

t.test('the HTML has the link as a button and as text, and the code in two halves without a space', async (t) => {
  const dom = read(renderer.mail(both, context).html)
  t.same(
    dom.all('a').map(({ attributes }) => attributes['href']),
    [url, url]
  )
  t.same(
    dom.all('a').map(({ text }) => text),
    ['Sign in', url]
  )
  t.equal(dom.one('.code').text, 'BCDFGHJK')
  t.same(
    dom.all('span').map(({ text }) => text),
    ['BCDF', 'GHJK']
  )
  t.match(dom.one('body').text, 'Good for 24 hours, and only once.')
  t.match(dom.one('body').text, en.mail.ignore)
  t.equal(dom.one('html').attributes['lang'], 'en')
})

t.test('the mail only mentions what it contains', async (t) => {
  const link = renderer.mail({ ...both, code: null }, context)
  t.notOk(read(link.html).has('.code'))
  t.notMatch(link.text, /code/)
  const code = renderer.mail({ ...both, url: null }, context)
  t.notOk(read(code.html).has('a'))
  t.notMatch(code.text, /https?:|\bOr\b/)
  t.match(code.text, en.mail.code)
})

t.test('hosts and addresses are kept from becoming links, the real link is left alone', async (t) => {
  const dom = read(renderer.mail(both, context).html)
  t.equal(dom.one('strong').text, 'ada@example\u200b.com')
  t.equal(dom.one('h1').text, 'Sign in to app\u200b.example\u200b.com')
  t.notMatch(
    dom
      .all('a')
      .map(({ text }) => text)
      .join(),
    '\u200b'
  )
})

t.test('everything in it is escaped', async (t) => {
  const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
  const mail = {
    identifier: hostile,
    url: `https://app.example.com/?${hostile}`,
    code: hostile,
    maxAge: 60,
    ...request
  }
  const dom = read(renderer.mail(mail, { ...context, siteName: hostile }).html)
  t.notOk(dom.has('script') || dom.has('img'))
  t.equal(dom.one('.code').text, hostile)
  const plain = read(renderer.mail(both, context).html)
  t.same(
    dom.elements.map(({ tag }) => tag),
    plain.elements.map(({ tag }) => tag)
  )
})

t.test('a link that runs script is none', async (t) => {
  const { html, text } = renderer.mail({ ...both, url: 'javascript:alert(1)' }, context)
  t.notMatch(html + text, 'javascript')
})

t.test('it loads nothing but the logo', async (t) => {
  t.notMatch(renderer.mail(both, context).html, /url\(|<img|<link|src=/)
  const logos = [
    ['https://cdn.example.com/logo.png', 'https://cdn.example.com/logo.png'],
    ['/logo.png', 'https://app.example.com/logo.png']
  ] as const
  for (const [logo, source] of logos) {
    const { html } = renderer.mail(both, sample.createPageContext({ logo }))
    t.match(read(html).one('img').attributes, { src: source, alt: 'app.example.com' })
    t.equal(html.match(/url\(|<link|src=/g)?.length, 1)
  }
})

t.test('what mail programs do not show, or no one should load, is not a logo of a mail', async (t) => {
  const others = [
    'data:image/png;base64,AAAA',
    'DATA:image/png,A',
    'http://evil.example/x.png',
    'javascript:alert(1)',
    '//evil.example/x'
  ]
  for (const logo of others)
    t.notOk(read(renderer.mail(both, sample.createPageContext({ logo })).html).has('img'), logo)
  const { html } = renderer.mail(both, sample.createPageContext({ logo: '/x.svg"><script>alert(1)</script>' }))
  t.notOk(read(html).has('script'))
})

t.test('the button has the colors of the brand', async (t) => {
  const { html } = renderer.mail(
    both,
    sample.createPageContext({ brandColor: '#0057b8', buttonText: '#ffd700', colorScheme: 'light' })
  )
  const dom = read(html)
  t.match(dom.one('.button').attributes['style'], 'background-color:#0057b8')
  t.match(dom.one('.label').attributes['style'], 'color:#ffd700')
})

t.test('a color cannot break out of the styles', async (t) => {
  const theme = { brandColor: 'red;} body{display:none', buttonText: '"onload=alert(1)' }
  t.equal(renderer.mail(both, sample.createPageContext(theme)).html, renderer.mail(both, context).html)
})

t.test('it is dark if the mail client or the configuration is', async (t) => {
  const auto = read(renderer.mail(both, context).html)
  t.match(
    auto.one('style').text,
    /^@media \(prefers-color-scheme:dark\)\{.*\.card\{background-color:#16191f !important;/
  )
  t.match(auto.one('.card').attributes['style'], 'background-color:#ffffff')
  const dark = read(renderer.mail(both, sample.createPageContext({ colorScheme: 'dark' })).html)
  t.notOk(dark.has('style'))
  t.match(dark.one('.card').attributes['style'], 'background-color:#16191f')
  const light = read(renderer.mail(both, sample.createPageContext({ colorScheme: 'light' })).html)
  t.notOk(light.has('style'))
  t.match(light.one('.card').attributes['style'], 'background-color:#ffffff')
})

t.test('the font and the corners are those of the theme', async (t) => {
  const getStyle = (theme: Partial<typeof sample.plainTheme>, selector: string): string =>
    read(renderer.mail(both, sample.createPageContext(theme)).html).one(selector).attributes['style'] ?? ''
  t.match(getStyle({ font: '"Source Sans 3", serif' }, 'h1'), 'font-family:"Source Sans 3", serif')
  t.match(getStyle({ font: 'x;} body{display:none' }, 'h1'), 'font-family:system-ui')
  t.match(getStyle({}, '.button'), 'border-radius:10px')
  t.match(getStyle({ radius: '.5em' }, '.button'), 'border-radius:10px')
  t.match(getStyle({ radius: '0' }, '.card'), 'border-radius:0px')
  t.match(getStyle({ radius: '1.5rem' }, '.button'), 'border-radius:24px')
  t.match(getStyle({ radius: '1.5rem' }, '.code'), 'border-radius:16px')
})

t.test('a link and a code read from left to right in every language', async (t) => {
  const dom = read((await createRenderer({ languages: ['ar'] })).mail(both, context).html)
  t.equal(dom.one('html').attributes['dir'], 'rtl')
  for (const part of ['.link', '.code']) t.equal(dom.one(part).attributes['dir'], 'ltr')
})

t.test('a mail of a feature has its code in a box, and an IP address on one line', (t) => {
  const paragraphs = ['From 192.0.2.1.', 'BCDF-GHJK', 'Go to www.example.com.']
  const mail = { en: { subject: 'Your code', paragraphs, code: 'BCDF-GHJK', button: null } }
  const { html, text } = renderer.featureMail(mail, context, { languages: [] })
  const dom = read(html)
  t.equal(dom.one('.code').text, 'BCDF-GHJK')
  t.equal(dom.one('.code').attributes['dir'], 'ltr')
  t.match(html, /From <span dir="ltr" style="white-space:nowrap">192\u200b\.0\u200b\.2\u200b\.1<\/span>\.<\/p>/)
  t.match(html, 'www\u200b.example\u200b.com', 'no host is linked')
  t.match(text, 'From 192.0.2.1.\n\nBCDF-GHJK\n\n')
  const isolated = { en: { ...mail.en, paragraphs: ['\u2068BCDF-GHJK\u2069'] } }
  const shown = renderer.featureMail(isolated, context, { languages: [] })
  t.equal(read(shown.html).one('.code').text, 'BCDF-GHJK', 'as in languages that are read from the right')
  t.notOk(read(renderer.featureMail({ en: { ...mail.en, code: null } }, context, { languages: [] }).html).has('.code'))
  t.end()
})
