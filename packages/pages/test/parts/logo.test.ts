import t from 'tap'
import { renderer } from '../../src/index.ts'
import { read } from '../dom.ts'
import * as sample from '../samples.ts'

const getLogo = (logo: string): string | undefined => {
  const dom = read(renderer.page(sample.signIn, sample.createPageContext({ logo })))
  return dom.has('img') ? dom.one('img').attributes['src'] : undefined
}

t.test('a logo of this site, of an https address or in the page itself is shown', async (t) => {
  const pictures = ['/logo.svg', 'https://cdn.example.com/logo.png', 'https://app.example.com/logo.png']
  for (const logo of [...pictures, 'data:image/png;base64,AAAA', 'data:image/svg+xml,%3Csvg/%3E'])
    t.equal(getLogo(logo), logo)
  const { attributes } = read(renderer.page(sample.signIn, sample.createPageContext({ logo: '/logo.svg' }))).one('img')
  t.equal(attributes['alt'], 'app.example.com')
})

t.test('a logo of a site on http is shown', async (t) => {
  const context = {
    ...sample.createPageContext({ logo: 'http://localhost:3000/logo.png' }),
    origin: 'http://localhost:3000'
  }
  t.equal(read(renderer.page(sample.signIn, context)).one('img').attributes['src'], 'http://localhost:3000/logo.png')
})

t.test('anything else is not a logo', async (t) => {
  const others = [
    '',
    'logo.png',
    '//evil.example/x.png',
    '/\\evil.example/x.png',
    'http://evil.example/x.png',
    'javascript:alert(1)'
  ]
  for (const logo of [
    ...others,
    'data:text/html,<script>',
    'https://app.example.com.evil.example'.replace('https', 'http')
  ]) {
    t.equal(getLogo(logo), undefined, logo)
  }
})

t.test('a logo cannot leave its attribute', async (t) => {
  const logo = '/x.svg"><script>alert(1)</script>'
  const dom = read(renderer.page(sample.signIn, sample.createPageContext({ logo })))
  t.notOk(dom.has('script'))
  t.equal(dom.one('img').attributes['src'], logo)
})
