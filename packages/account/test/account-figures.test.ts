import { gzipSync } from 'node:zlib'
import { memoryAdapter } from '@postern/adapters/memory'
import t from 'tap'
import { accountPath, createUser, openAccountApplication, origin, strategies } from './account-application.ts'

/** An adapter that lists the calls of its methods. */
function createCountingAdapter() {
  const calls: string[] = []
  const adapter = new Proxy(memoryAdapter(), {
    get: (target, name, receiver) => {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof value !== 'function') return value
      return (...args: readonly unknown[]) => {
        calls.push(String(name))
        return Reflect.apply(value, target, args)
      }
    }
  })
  return { adapter, calls }
}

const paths = ['', '/profile', '/connections', '/devices', '/activity', '/data', '/delete']

for (const strategy of strategies)
  t.test(`${strategy}: the account page takes three queries`, async (t) => {
    const { adapter, calls } = createCountingAdapter()
    const application = await openAccountApplication(t, strategy, { adapter })
    const browser = await createUser(application)
    await browser.open(accountPath)
    calls.length = 0
    await browser.open(accountPath)
    t.comment(calls.join(' '))
    const own = strategy === 'jwt' ? 'getUser' : 'getSessionAndUser'
    t.same(calls.toSorted(), ['getAccounts', own, 'listFactors'].toSorted())
  })

t.test(
  'every page is at most 15 kB with its style sheet, compressed, and loads nothing from other sites',
  async (t) => {
    const application = await openAccountApplication(t, 'database')
    const browser = await createUser(application)
    for (const path of paths) {
      const page = await browser.open(accountPath + path)
      const stylesheet = page.html().querySelector('link[rel=stylesheet]')?.getAttribute('href') ?? ''
      const style = await browser.open(stylesheet)
      const size = gzipSync(page.body).length + gzipSync(style.body).length
      t.comment(`${path || '/'}: ${size} bytes`)
      t.ok(size <= 15_000, `${path}: ${size} bytes`)
      t.same(page.body.match(/(?:src|href)="(?:https?:)?\/\/(?!app\.test)[^"]*"/g), null, `${path}: nothing remote`)
      t.notMatch(style.body, /url\(|@import/, 'the style sheet loads nothing')
      t.ok(stylesheet.startsWith('/'), origin)
    }
  }
)
