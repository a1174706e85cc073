import { renderToStaticMarkup } from 'react-dom/server'
import t from 'tap'
import { Timestamp } from '../../src/parts/timestamp.tsx'

const render = (locale: string, time: string): string =>
  renderToStaticMarkup(<Timestamp time={time} now="2030-01-02T12:00:00Z" locale={locale} />)

t.test('a time is relative, with the exact time, in the language of each page', async (t) => {
  for (const _ of [1, 2]) {
    t.match(render('en', '2030-01-01T12:00:00Z'), '>yesterday<')
    t.match(render('en', '2030-01-01T12:00:00Z'), 'title="January 1, 2030 at 12:00')
    t.match(render('de', '2030-01-01T12:00:00Z'), '>gestern<')
    t.match(render('de', '2029-12-31T11:00:00Z'), '>vorgestern<')
    t.match(render('de', '2030-01-01T12:00:00Z'), 'title="1. Januar 2030 um 12:00')
    t.match(render('en', '2030-01-02T11:59:30Z'), '>now<')
  }
})

t.test('a page with many times creates each formatter once', async (t) => {
  const created: string[] = []
  class Relative extends Intl.RelativeTimeFormat {
    constructor(...args: ConstructorParameters<typeof Intl.RelativeTimeFormat>) {
      super(...args)
      created.push('relative')
    }
  }
  class Exact extends Intl.DateTimeFormat {
    constructor(...args: ConstructorParameters<typeof Intl.DateTimeFormat>) {
      super(...args)
      created.push('exact')
    }
  }
  t.intercept(Intl, 'RelativeTimeFormat', { value: Relative })
  t.intercept(Intl, 'DateTimeFormat', { value: Exact })
  for (let hour = 0; hour < 20; hour++) render('fr', new Date(Date.UTC(2030, 0, 1, hour)).toISOString())
  t.same(created.toSorted(), ['exact', 'relative'])
})
